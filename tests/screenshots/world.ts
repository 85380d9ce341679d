import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { claimDataDir, type DataDir } from "../../deploy/data-dir"
import { fillDemo } from "../../deploy/demo/fill-demo"
import { type Demo, prepareDemo } from "../../deploy/demo/prepare-demo"
import { freePort } from "../../deploy/port"
import { embeddedPostgres } from "../../deploy/postgres"
import { controlClock } from "../support/clock"
import { httpClient, succeedingClient } from "../support/http"
import { startTributary, stopTributary } from "../support/tributary-process"
import { newOutgoing } from "./outgoing"

export const NOW = Date.parse("2026-12-01T15:30:00Z")
const CATCHING_UP_MS = 5_000 // the parts count clicks and approve commissions by themselves

/**
 * Starts a Tributary whose database says that it is NOW, with the demo and its history. The seed of
 * the history fixes what pictures show.
 */
export async function fixedWorld() {
  const folder = mkdtempSync(join(tmpdir(), "tributary-screenshots-"))
  const dataDir = claimDataDir(folder)
  const server = await embeddedPostgres(dataDir)
  const running = await server.spawn()
  await server.ready()
  const sql = postgres(server.url(), { max: 1, onnotice: () => {} })
  const clock = await controlClock(sql)
  await clock.setAhead(NOW - Date.now())

  const system = startTributary({
    DATABASE_URL: server.url(),
    DATA_DIR: join(folder, "system"),
    PORT: String(await freePort()),
  })
  const url = await system.ready
  await clock.set(new Date(NOW).toISOString()) // the history ends exactly then
  const demo = await newDemo(dataDir, url)
  const shop_id = await newShop(demo, url)
  await Bun.sleep(CATCHING_UP_MS)
  const ids = await idsOf(sql, demo.program_id)
  const outgoing = await newOutgoing(demo, ids.partners!, url, sql)

  return {
    demo,
    url,
    ids: { ...ids, ...outgoing },
    shop_id,
    async stop() {
      await stopTributary(system)
      await sql.end()
      running.kill("SIGQUIT")
      await running.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function newDemo(dataDir: DataDir, address: string): Promise<Demo> {
  const demo = await prepareDemo(dataDir, { isNew: true, hasHistory: true, address })
  if (!demo) throw new Error("The new database has no demo.")
  await fillDemo(dataDir, demo, address)
  await publish(demo, address)
  return demo
}

/** Its public page is for all to read. */
async function publish({ email, password, program_id }: Demo, url: string) {
  const request = succeedingClient(url)
  const { token } = await request("POST", "/api/auth/sign-in", { body: { email, password } })
  await request("POST", `/api/advertiser/affiliate-programs/${program_id}/go-live`, { token })
}

/** A program whose integration is under way: a click has arrived, and a sale was refused. */
async function newShop({ email, password }: Demo, url: string): Promise<number> {
  const request = succeedingClient(url)
  const { token } = await request("POST", "/api/auth/sign-in", { body: { email, password } })
  const programs = "/api/advertiser/affiliate-programs"
  const shop = { name: "New shop", website_url: "https://new-shop.example" }
  const { id, api_token } = await request("POST", programs, { token, body: shop })
  const partner = { email: "first@example.com", name: "First partner" }
  const { links } = await request("POST", `${programs}/${id}/partners`, { token, body: partner })
  await request("POST", "/api/v1/track/click", { body: { affiliate_url: links[0].url } })

  const sale = { customer_key: "42", transaction_id: "order-1", amount_cents: 4_999 }
  await httpClient(url)("POST", "/api/v1/track/sale", { token: api_token, body: sale })
  return id
}

/** Something of each kind, by the segment that stands before its id in paths of screens. */
async function idsOf(sql: postgres.Sql, program_id: number): Promise<Record<string, string>> {
  const [ids] = await sql<Record<string, string>[]>`
    select
      program.id::text as programs,
      program.workspace_id::text as workspaces,
      program.slug as join,
      partner.partner_id::text as partners,
      partner.group_id::text as groups,
      sale.id::text as sales,
      sale.commission_id::text as commissions,
      sale.customer_key as customers,
      sale.link_id::text as links
    from identity.programs as program
    join commissions.partner_programs as partner on partner.program_id = program.id
    join tracking.affiliate_sale_events as sale using (partner_id)
    where program.id = ${program_id}
      and partner.name = 'Ada Reed'
      and sale.commission_id is not null
      and sale.first_sale_id is null
    order by sale.id desc
    limit 1
  `
  return { ...ids!, partner: ids!.programs! }
}

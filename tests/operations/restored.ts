import postgres from "postgres"
import { httpClient } from "../chaos/trial/client"
import type { Journal, Wish } from "../chaos/trial/journal"
import { type LoadRun, runLoad, verifyReports, verifyRows } from "./funnel"
import { BUSY_MAX_SHARE } from "./on-topology"
import type { Postgres } from "./postgres"
import { waitUntil } from "./process"
import type { Stage } from "./stage"
import { auditSystem, type Environment, startSystem } from "./system"

const AFTER = { lasts_ms: 1_000, failures_max_share: BUSY_MAX_SHARE }

/** What was acknowledged before a backup began has to be in it; what came later may be. */
export const acknowledgedRequests = ({ wishes }: Journal): Set<Wish> =>
  new Set([...wishes].flatMap(([wish, fate]) => (fate === "acknowledged" ? [wish] : [])))

/** Starts Tributary on a server that was made from a backup, and looks whether all is as before. */
export async function verifyRestored(
  stage: Stage,
  server: Postgres,
  environment: Environment,
  { sent, before, origin }: { sent: LoadRun; before: Set<Wish>; origin: string },
) {
  const sql = postgres(server.url, { max: 1, fetch_types: false })
  const system = await startSystem(stage, "after", { ...environment, DATABASE_URL: server.url })
  const { url } = system
  await verifyCredentials(stage, { ...sent, url })
  await waitUntil(
    "the read model is made anew",
    async () => !(await summaryOf(sent, url)).appliedUntil,
  )
  const own = await originOf(server.url)
  stage.verify("the reader took it for another server", own === origin ? [own] : [])
  await verifyRecount(stage, sql, sent, url)
  const fates = [...sent.journal.wishes.keys()].map(
    wish => [wish, before.has(wish) ? "acknowledged" : "doubtful"] as const,
  )
  await verifyRows(stage, server.url, new Map(fates))
  await verifyReports(stage, await runLoad(stage, "after", { url, ...AFTER }))
  await auditSystem(stage, system)
  await sql.end()
}

/** Whose transactions reporting's cursors are about. */
export async function originOf(database_url: string): Promise<string> {
  const sql = postgres(database_url, { max: 1 })
  const [found] = await sql<[{ origin: string }]>`
    select cursor ->> 'origin' as origin
    from reporting.cursors
    where feed = 'clicks'
  `
  await sql.end()
  return found.origin
}

/** The session and the token of before; the customer of a click of before. */
async function verifyCredentials(stage: Stage, { journal, advertiser, url }: LoadRun) {
  const { session, api_token } = advertiser
  const me = await fetch(`${url}/api/auth/session`, {
    headers: { authorization: `Bearer ${session}` },
  })
  const [click] = [...journal.wishes.keys()].filter(({ kind }) => kind === "click")
  const sale = { transaction_id: "restored", amount_cents: 100, click_id: click!.key }
  const sold = await httpClient(url)("/api/v1/track/sale", sale, api_token)
  stage.verify("old sessions, tokens and clicks are valid", [
    ...(me.status === 200 ? [] : [`session: ${me.status}`]),
    ...(sold.status === 200 ? [] : [`token: ${sold.status} ${JSON.stringify(sold.body)}`]),
  ])
}

async function summaryOf({ advertiser }: LoadRun, url: string): Promise<any> {
  const path = `${url}/api/tracking/performance/${advertiser.program_id}?period=all`
  const headers = { authorization: `Bearer ${advertiser.session}` }
  const { metrics, meta } = (await (await fetch(path, { headers })).json()) as any
  return { ...metrics, appliedUntil: meta.appliedUntil }
}

/** Whatever the backup caught, the reports are made of it. */
async function verifyRecount(stage: Stage, sql: postgres.Sql, sent: LoadRun, url: string) {
  const { program_id } = sent.advertiser
  const [{ clicks, leads, sales }] = await sql<[Record<"clicks" | "leads" | "sales", string>]>`
    select
      (select count(*) from tracking.affiliate_click_events where program_id = ${program_id})
        as clicks,
      (select count(*) from tracking.affiliate_lead_events where program_id = ${program_id})
        as leads,
      (
        select count(*)
        from tracking.affiliate_sale_events
        where program_id = ${program_id} and final_xact is not null -- else it has yet to be completed
      ) as sales
  `
  const { totalClicks, totalLeads, totalSales } = await summaryOf(sent, url)
  const [counted, told] = [
    `${clicks} ${leads} ${sales}`,
    `${totalClicks} ${totalLeads} ${totalSales}`,
  ]
  stage.verify(
    `reports made anew: ${clicks} clicks, ${leads} leads, ${sales} sales`,
    counted === told ? [] : [told],
  )
}

import { join } from "node:path"
import postgres from "postgres"
import { httpClient } from "./http"
import { launch } from "./launcher"

const { PROCESSES = "one", REPLICAS = "1" } = process.env

let count = 0
const unique = (prefix: string) => `${prefix}-${++count}`

/** Starts a Tributary for one test file alone, for tests that read all of its books. */
export async function launchOwnSystem(environment: Record<string, string> = {}) {
  const launcher = await launch({ PROCESSES, REPLICAS, ...environment })
  const url = await launcher.ready
  const { data_dir } = launcher
  const { url: database } = await Bun.file(join(data_dir, "postgres.json")).json()
  const sql = postgres(database, { max: 4, onnotice: () => {} })

  const request = httpClient(url)

  const send = async (path: string, body: unknown, token?: string): Promise<any> =>
    (await request("POST", path, { body, token })).body
  const read = async (path: string, token: string): Promise<any> =>
    (await request("GET", path, { token })).body

  async function stop() {
    await sql.end()
    launcher.kill("SIGTERM")
    await launcher.ended
  }
  const { pid, output, processes } = launcher
  return { url, data_dir, pid, database, sql, request, send, read, stop, output, processes }
}

export type System = Awaited<ReturnType<typeof launchOwnSystem>>

/** Creates a program and sends it clicks, leads, sales, refunds and payments, all at once. */
export async function generateTraffic({ send }: Pick<System, "send">) {
  const account = { email: `${unique("owner")}@example.com`, password: "correct horse battery" }
  const session = (await send("/api/auth/sign-up", { ...account, name: "Owner" })).data.token
  const programs = "/api/advertiser/affiliate-programs"
  const commission = { kind: "percent", rate_bps: 3_000 }
  const { id, api_token } = (await send(programs, { name: unique("Program"), commission }, session))
    .data
  const partners = await Promise.all(
    [1, 2, 3].map(() => {
      const partner = { email: `${unique("partner")}@example.com`, name: "Partner" }
      return send(`${programs}/${id}/partners`, partner, session)
    }),
  )
  const codes = partners.map(({ data }) => data.links[0].code as string)

  const customers = Array.from({ length: 30 }, async (_, i) => {
    const affiliate_url = `https://shop.example/?aff=${codes[i % 3]}`
    const { click_id } = await send("/api/v1/track/click", { affiliate_url })
    await send("/api/v1/track/click", { affiliate_url, existing_click_id: click_id })
    if (i % 2 === 0) await send("/api/v1/track/lead", { click_id, customer_key: unique("key") })
    if (i % 3 === 0) return

    const transaction_id = unique("sale")
    const sale = { transaction_id, amount_cents: 4_999, click_id, currency: i % 5 ? "USD" : "JPY" }
    const sold = await Promise.all([1, 2].map(() => send("/api/v1/track/sale", sale, api_token)))
    // on a slow machine both may fail: then it tries again
    const { commission_id } =
      sold.find(({ success }) => success) ?? (await send("/api/v1/track/sale", sale, api_token))
    if (i % 4 === 0) {
      await send(`${programs}/${id}/commissions/${commission_id}/approve`, {}, session)
      await send(`${programs}/${id}/commissions/${commission_id}/mark-paid`, {}, session)
    }
    if (i % 7 === 0)
      await send(
        `${programs}/${id}/commissions/${commission_id}/reject`,
        { reason: "Self-referral" },
        session,
      )
    for (const refund_id of i % 2 ? ["a", "b", "b"] : []) {
      const refund = { transaction_id, refund_id, refund_amount_cents: 1_000 }
      await send("/api/v1/track/refund", refund, api_token)
    }
    if (i % 5 === 1) await send("/api/v1/track/refund", { transaction_id }, api_token)
  })
  await Promise.all(customers)
  return { program_id: id as number, session: session as string, api_token: api_token as string }
}

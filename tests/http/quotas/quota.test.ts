import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { config } from "../../../lib/config"
import { sum } from "../../support/metrics"
import { launchWithMetrics } from "../../support/system-with-metrics"

const QUOTA = 6
const START_TIMEOUT_MS = 90_000 // measuring takes up to 14 s
const PROGRAMS = "/api/advertiser/affiliate-programs"

type System = Awaited<ReturnType<typeof launchWithMetrics>>
type Program = { id: number; api_token: string; code: string; session: string }
let system: System
let full: Program
let sibling: Program // of the same workspace
let other: Program

beforeAll(async () => {
  system = await launchWithMetrics({ EVENTS_PER_WORKSPACE: `${QUOTA}` })
  const session = await newSession()
  full = await newProgram(session)
  sibling = await newProgram(session)
  other = await newProgram(await newSession())

  await click(other)
  const { click_id } = (await click(full)).body
  await lead(full, { click_id, customer_key: "known" })
  await sale(full, { customer_key: "known", transaction_id: "known" })
  await click(sibling)
  await testClick(sibling)
  expect((await click(sibling)).status).toBe(200) // the sixth
  while ((await click(full)).status !== 429) await Bun.sleep(500)
}, START_TIMEOUT_MS)

afterAll(() => system?.stop())

let accounts = 0
async function newSession(): Promise<string> {
  const email = `tenant-${++accounts}@example.com`
  const body = { email, password: "correct horse battery", name: "Tenant" }
  return (await system.request("POST", "/api/auth/sign-up", { body })).body.data.token
}

async function newProgram(session: string): Promise<Program> {
  const create = async (path: string, body: object) =>
    (await system.request("POST", path, { token: session, body })).body.data
  const { id, api_token } = await create(PROGRAMS, { name: "Program" })
  const partner = { email: "partner@example.com", name: "Partner" }
  const { links } = await create(`${PROGRAMS}/${id}/partners`, partner)
  return { id, api_token, code: links[0].code, session }
}

const track = (kind: string, body: object, token?: string) =>
  system.request("POST", `/api/v1/track/${kind}`, { token, body })
const click = ({ code }: Program) =>
  track("click", { affiliate_url: `https://shop.example/?aff=${code}` })
const lead = ({ api_token }: Program, body: object) => track("lead", body, api_token)
const sale = ({ api_token }: Program, fields: object) =>
  track("sale", { amount_cents: 1_000, ...fields }, api_token)
const testClick = ({ id }: Program) =>
  track("click", { additional_data: { test_mode: true, program_id: id } })

describe("a workspace that has stored as many events as its quota allows", () => {
  test.each<[string, () => ReturnType<typeof track>]>([
    ["a click", () => click(full)],
    ["a click of another program", () => click(sibling)],
    ["a sale", () => sale(full, { customer_key: "known", transaction_id: "late" })],
    ["a test click", () => testClick(full)],
  ])("429: %s", async (_what, call) => {
    const reply = await call()
    expect(reply).toMatchObject({ status: 429, body: { error: expect.stringMatching(/quota/) } })
    expect(reply.headers.get("retry-after")).toBe("60")
  })

  test("429: a lead, with a token or without", async () => {
    const [customer] = await system.sql`
      select click_id
      from tracking.customers
      where program_id = ${sibling.id}
      limit 1
    `
    const { click_id } = customer!
    expect((await lead(sibling, { click_id, customer_key: "late" })).status).toBe(429)
    expect((await track("lead", { click_id })).status).toBe(429)
  })

  test("still answers what stores no event: repeats, refunds and reports", async () => {
    expect((await lead(full, { customer_key: "known" })).status).toBe(400) // converted
    const repeated = await sale(full, { customer_key: "known", transaction_id: "known" })
    expect(repeated.status).toBe(409)
    const refunded = await track("refund", { transaction_id: "known" }, full.api_token)
    expect(refunded.body).toMatchObject({ success: true, status: "reversed" })
    const path = `/api/tracking/performance/${full.id}`
    expect((await system.request("GET", path, { token: full.session })).status).toBe(200)
  })

  test("keeps no other workspace from storing events", async () => {
    expect((await click(other)).status).toBe(200)
  })

  test("shows in the metrics", async () => {
    const samples = await system.scrape()
    expect(sum(samples, "tributary_workspaces_over_quota")).toBeGreaterThanOrEqual(1)
    expect(sum(samples, "tributary_quota_used_ratio")).toBeGreaterThanOrEqual(1)
    expect(sum(samples, "tributary_quota_refused_total")).toBeGreaterThanOrEqual(4)
  })
})

test("there is no quota by default", () => {
  expect(config.events_per_workspace_max).toBeNull()
})

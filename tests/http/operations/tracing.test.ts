import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startCollector } from "../../support/collector"
import { generateTraffic, launchOwnSystem, type System } from "../../support/own-system"

const { PROCESSES = "one" } = process.env
const serviceOf = (part: string) => (PROCESSES === "separate" ? `tributary-${part}` : "tributary")

const collector = startCollector()
let system: System
let program: Awaited<ReturnType<typeof generateTraffic>>

beforeAll(async () => {
  system = await launchOwnSystem(collector.environment)
  program = await generateTraffic(system)
}, 60_000)
afterAll(collector.stop)

async function post(path: string, body: object, token?: string) {
  const reply = await system.request("POST", path, { body, token })
  return { id: reply.headers.get("x-request-id") as string, body: reply.body }
}

type Span = (typeof collector.spans)[number]

/** The names of the span's ancestors and of the span, the root first. */
function pathTo(span: Span, trace: Span[]): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathTo(parent, trace) : []), `${span.service} ${span.name}`]
}

const isSaleInsert = ({ attributes }: Span) =>
  /insert into affiliate_sale_events/.test(`${attributes["db.query.text"]}`)
const isLedgerInsert = ({ attributes }: Span) =>
  /insert into ledger/.test(`${attributes["db.query.text"]}`)

describe("a trace", () => {
  test("runs from the request over the bus to the statements of each service", async () => {
    const [link] = await system.sql`select code from tracking.referral_links limit 1`
    const clicked = await post("/api/v1/track/click", {
      affiliate_url: `https://shop.example/?aff=${link?.code}`,
    })
    const { click_id } = clicked.body
    const sale = { transaction_id: crypto.randomUUID(), amount_cents: 4_999, click_id }
    const { id } = await post("/api/v1/track/sale", sale, program.api_token)

    const isRoot = ({ parentSpanId }: Span) => !parentSpanId
    const trace = await collector.traceOf(id, spans =>
      [isRoot, isSaleInsert, isLedgerInsert].every(isFound => spans.some(isFound)),
    )
    expect(trace.filter(isRoot)).toMatchObject([
      {
        service: serviceOf("gateway"),
        name: "POST /api/v1/track/sale",
        isFailed: false,
        attributes: { "http.route": "/api/v1/track/sale", "http.response.status_code": 200 },
      },
    ])
    expect(pathTo(trace.find(isSaleInsert)!, trace)).toEqual([
      `${serviceOf("gateway")} POST /api/v1/track/sale`,
      `${serviceOf("gateway")} tracking.sale.record`,
      `${serviceOf("tracking")} tracking.sale.record`,
      expect.stringContaining(`${serviceOf("tracking")} sql `),
    ])
    expect(pathTo(trace.find(isLedgerInsert)!, trace)).toEqual([
      `${serviceOf("gateway")} POST /api/v1/track/sale`,
      `${serviceOf("gateway")} tracking.sale.record`,
      `${serviceOf("tracking")} tracking.sale.record`,
      `${serviceOf("tracking")} commissions.commission.create`,
      `${serviceOf("commissions")} commissions.commission.create`,
      expect.stringContaining(`${serviceOf("commissions")} sql `),
    ])
  })

  test("of a click has only the statement that stores it", async () => {
    const [link] = await system.sql`select code from tracking.referral_links limit 1`
    const { id } = await post("/api/v1/track/click", {
      affiliate_url: `https://shop.example/?aff=${link?.code}`,
    })
    const trace = await collector.traceOf(id, spans => spans.length >= 4)
    expect(trace.map(({ name }) => name).toSorted()).toEqual([
      "POST /api/v1/track/click",
      "sql with",
      "tracking.click.record",
      "tracking.click.record",
    ])
  })

  test("shows a refusal as a reply, not as a failure", async () => {
    const { id } = await post("/api/v1/track/click", {
      affiliate_url: "https://shop.example/?aff=unknown",
    })
    const trace = await collector.traceOf(id, spans => spans.some(span => !span.parentSpanId))
    expect(trace.find(span => !span.parentSpanId)).toMatchObject({
      isFailed: false,
      attributes: { "http.response.status_code": 400 },
    })
  })

  test("contains nothing that a caller sent", async () => {
    const canary = `canary${Date.now()}`
    await post(`/api/v1/track/sale?secret=${canary}`, { transaction_id: canary }, `aff_${canary}`)
    await post("/api/auth/sign-in", { email: `${canary}@example.com`, password: canary })
    const sale = { transaction_id: canary, amount_cents: 1, customer_key: canary }
    const { id } = await post("/api/v1/track/sale", sale, program.api_token)
    await collector.traceOf(id, spans => spans.some(span => !span.parentSpanId))
    expect(collector.text()).not.toContain(canary)
    expect(collector.text()).not.toContain(program.api_token)
    expect(collector.text()).not.toContain("@example.com")
  })

  test("is not started by a timer", () => {
    const timers = ["tracking.clicks.feed", "reporting"]
    const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId)
    expect(roots.length).toBeGreaterThan(0)
    expect(roots.filter(({ name }) => timers.some(timer => name.startsWith(timer)))).toEqual([])
    expect(roots.every(({ service }) => service === serviceOf("gateway"))).toBe(true)
  })
})

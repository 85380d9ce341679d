import { beforeAll, describe, expect, test } from "bun:test"
import { waitForBlockedSessions } from "../../support/locks"
import { sum } from "../../support/metrics"
import { generateTraffic } from "../../support/own-system"
import { launchWithMetrics } from "../../support/system-with-metrics"

const REQUESTS = "tributary_http_request_duration_seconds_count"
const CALLS = "tributary_bus_call_duration_seconds_count"
const ANSWERS = "tributary_bus_answer_duration_seconds_count"
const CLICK = { method: "POST", route: "/api/v1/track/click" }

type Observed = Awaited<ReturnType<typeof launchWithMetrics>>
let system: Observed
let before: Awaited<ReturnType<Observed["scrape"]>>

/** How much a sum has grown, once it is steady: a request is counted shortly after its reply. */
async function increaseOf(name: string, labels: Record<string, string> = {}) {
  for (let seen: number | null = null; ; ) {
    await Bun.sleep(50)
    const now = sum(await system.scrape(), name, labels)
    if (now === seen) return now - sum(before, name, labels)
    seen = now
  }
}

beforeAll(async () => {
  system = await launchWithMetrics({ RATE_LIMITS: "on", RATE_LIMIT_SIGN_INS: "2/1h" })
  before = await system.scrape()
  await generateTraffic(system)
}, 60_000)

describe("GET /metrics", () => {
  test("counts requests by method, route and status", async () => {
    expect(await increaseOf(REQUESTS, { ...CLICK, status: "200" })).toBe(60)
    expect(await increaseOf(REQUESTS, { ...CLICK, status: "400" })).toBe(0)

    await system.send("/api/v1/track/click", {})
    expect(await increaseOf(REQUESTS, { ...CLICK, status: "400" })).toBe(1)
  })

  test("counts requests to unknown routes as one route", async () => {
    await fetch(`${system.url}/unknown/${crypto.randomUUID()}`, { method: "PUT" })
    await fetch(`${system.url}/healthz`, { method: "DELETE" })
    const none = { method: "any", route: "none" }
    expect(await increaseOf(REQUESTS, { ...none, status: "404" })).toBe(1)
    expect(await increaseOf(REQUESTS, { ...none, status: "405" })).toBe(1)
  })

  test("times requests: the buckets add up", async () => {
    const name = "tributary_http_request_duration_seconds"
    expect(await increaseOf(`${name}_bucket`, { ...CLICK, le: "+Inf" })).toBe(61)
    expect(await increaseOf(`${name}_sum`, CLICK)).toBeWithin(0.001, 60)
  })

  test("counts bus calls by subject and outcome, at the caller and at the service", async () => {
    const subject = "tracking.click.record"
    for (const name of [CALLS, ANSWERS]) {
      expect(await increaseOf(name, { subject, outcome: "answered" })).toBe(60)
    }
    await system.send("/api/v1/track/click", { affiliate_url: "https://shop.example/?aff=unknown" })
    for (const name of [CALLS, ANSWERS]) {
      expect(await increaseOf(name, { subject, outcome: "invalid" })).toBe(1)
    }
  })

  test("reports the sizes of batches, and how many clicks wait", async () => {
    const batch = "clicks"
    expect(await increaseOf("tributary_batch_size_sum", { batch })).toBe(61)
    expect(await increaseOf("tributary_batch_size_count", { batch })).toBeWithin(1, 62)
    expect(await increaseOf("tributary_batch_duration_seconds_count", { batch })).toBeWithin(1, 62)
    expect(sum(await system.scrape(), "tributary_batch_queue_depth")).toBe(0)
  })

  test("reports the load of the connection pools", async () => {
    const samples = await system.scrape()
    for (const pool of [
      "tracking",
      "tracking_clicks",
      "commissions",
      "reporting",
      "identity",
      "delivery",
    ]) {
      expect(samples, pool).toContainEqual({
        name: "tributary_database_connections",
        labels: { pool },
        value: pool === "tracking_clicks" ? 1 : 8,
      })
    }
    const waits = { pool: "commissions" }
    expect(await increaseOf("tributary_database_wait_seconds_count", waits)).toBeGreaterThan(0)

    const held = system.sql.begin(async sql => {
      await sql`lock table tracking.referral_links in access exclusive mode`
      const click = system.send("/api/v1/track/click", {
        affiliate_url: "https://shop.example/?aff=unknown",
      })
      await waitForBlockedSessions(1, "tracking.referral_links", system.sql)
      const pool = "tracking_clicks"
      const busy = sum(await system.scrape(), "tributary_database_busy", { pool })
      return { busy, click }
    })
    const { busy, click } = await held
    await click
    expect(busy).toBe(1)
    const after = sum(await system.scrape(), "tributary_database_busy", { pool: "tracking_clicks" })
    expect(after).toBe(0)
  })

  test("reports the lag of each feed", async () => {
    const lags = (await system.scrape()).filter(({ name }) => name === "tributary_feed_lag_seconds")
    const feeds = new Set(lags.map(({ labels }) => `${labels.reader} ${labels.feed}`))
    expect([...feeds].toSorted()).toEqual(
      [
        ...[
          "clicks",
          "commissions",
          "dropped_clicks",
          "erasures",
          "leads",
          "partners",
          "sales",
        ].map(feed => `reporting ${feed}`),
        "delivery commissions",
        "delivery identity",
        "delivery tracking",
        "identity commissions",
        "identity delivery",
        "identity tracking",
      ].toSorted(),
    )
    for (const { labels, value } of lags) {
      expect(value, `${labels.feed}`).toBeWithin(0, labels.reader === "identity" ? 10 : 5)
    }
  })

  test("reports pending sales, and what the sweepers did with them", async () => {
    const { sql } = system
    await sql`
      update tracking.affiliate_sale_events
      set
        state = 'pending',
        final_xact = null,
        commission_id = null,
        acknowledged_by = null,
        try_after = now() + interval '5 minutes'
      where id = (select min(id) from tracking.affiliate_sale_events)
    `
    const samples = await system.scrape()
    expect(sum(samples, "tributary_sales_pending")).toBeGreaterThan(0)
    expect(sum(samples, "tributary_sales_pending_oldest_seconds")).toBeGreaterThan(0)

    await sql`
      update tracking.affiliate_sale_events
      set try_after = now()
      where state = 'pending'
    `
    const timer = "Completing sales"
    while ((await increaseOf("tributary_timer_items_total", { timer })) === 0) await Bun.sleep(100)
    expect(await increaseOf("tributary_timer_items_total", { timer })).toBe(1)
    expect(sum(await system.scrape(), "tributary_sales_pending")).toBe(0)
    const runs = { timer, outcome: "done" }
    expect(await increaseOf("tributary_timer_run_duration_seconds_count", runs)).toBeGreaterThan(0)
  })

  test("counts requests that rate limits refused", async () => {
    const body = { email: "unknown@example.com", password: "correct horse battery" }
    const tries = Array.from({ length: 6 }, () => system.send("/api/auth/sign-in", body))
    const refused = (await Promise.all(tries)).filter(({ error }) => error.startsWith("Too many"))
    expect(refused.length).toBeGreaterThan(1) // each gateway may count separately
    const limit = "sign_ins"
    expect(await increaseOf("tributary_rate_limited_total", { limit })).toBe(refused.length)
    const route = "/api/auth/sign-in"
    expect(await increaseOf(REQUESTS, { route, status: "429" })).toBe(refused.length)
  })

  test("reports the lag of the event loop", async () => {
    for (const port of system.ports) {
      const text = await (await fetch(`http://localhost:${port}/metrics`)).text()
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds 0\.\d+/m)
      expect(text).toMatch(/^process_resident_memory_bytes \d{6,}$/m)
    }
  })

  test("contains no e-mail address, token or click id", async () => {
    for (const port of system.ports) {
      const text = await (await fetch(`http://localhost:${port}/metrics`)).text()
      expect(text).not.toMatch(/@|aff[ksi]?_\w{20}|clk_/)
    }
  })

  test("is not served on the public port", async () => {
    expect((await fetch(`${system.url}/metrics`)).status).toBe(404)
  })
})

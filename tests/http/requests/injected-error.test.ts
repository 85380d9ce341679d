import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startCollector } from "../../support/collector"
import { sum } from "../../support/metrics"
import { generateTraffic } from "../../support/own-system"
import { launchWithMetrics } from "../../support/system-with-metrics"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const MISSING_TABLE = "42P01"
const ERROR = 50 // pino's number for the level

const collector = startCollector()
let system: Awaited<ReturnType<typeof launchWithMetrics>>
let program: Awaited<ReturnType<typeof generateTraffic>>

beforeAll(async () => {
  system = await launchWithMetrics({ ...collector.environment, LOG_LEVEL: "info" })
  program = await generateTraffic(system)
}, 60_000)
afterAll(collector.stop)

/** A request, the table that is missing during it, and the operation that fails. */
type Fault = { table: string; subject: string; route: string; request: () => Promise<Response> }

const get = (path: string) =>
  fetch(`${system.url}${path}`, { headers: { authorization: `Bearer ${program.session}` } })

const FAULTS: [service: string, fault: Fault][] = [
  [
    "tracking",
    {
      table: "referral_links",
      subject: "tracking.click.record",
      route: "/api/v1/track/click",
      request: () =>
        fetch(`${system.url}/api/v1/track/click`, {
          method: "POST",
          body: JSON.stringify({ affiliate_url: "https://shop.example/?aff=canary" }),
        }),
    },
  ],
  [
    "commissions",
    {
      table: "groups",
      subject: "commissions.group.list",
      route: `${PROGRAMS}/:id/groups`,
      request: () => get(`${PROGRAMS}/${program.program_id}/groups`),
    },
  ],
  [
    "reporting",
    {
      table: "daily",
      subject: "reporting.performance.show",
      route: "/api/tracking/performance/:programId",
      request: () => get(`/api/tracking/performance/${program.program_id}`),
    },
  ],
  [
    "identity",
    {
      table: "sessions",
      subject: "identity.caller.find",
      route: "/api/auth/session",
      request: () => get("/api/auth/session"),
    },
  ],
]

const logged = (request_id: string) =>
  system
    .output()
    .split("\n")
    .slice(0, -1) // the last line may be incomplete
    .filter(line => line.startsWith("{") && line.includes(request_id))
    .map(line => JSON.parse(line))

function isLogged(request_id: string): boolean {
  const lines = logged(request_id)
  return lines.some(({ level }) => level === ERROR) && lines.some(({ msg }) => msg === "answered")
}

describe.each(FAULTS)("an error in %s", (service, { table, subject, route, request }) => {
  let answer: Response
  let text: string
  let request_id: string
  let before: Awaited<ReturnType<typeof system.scrape>>

  beforeAll(async () => {
    before = await system.scrape()
    await system.sql.unsafe(`alter table ${service}.${table} rename to away`)
    answer = await request()
    await system.sql.unsafe(`alter table ${service}.away rename to ${table}`)
    text = await answer.text()
    request_id = answer.headers.get("x-request-id") as string
    while (!isLogged(request_id)) await Bun.sleep(20) // logged and counted after the reply
  })

  test("shows the caller only that there was one", () => {
    expect(answer.status).toBe(500)
    expect(JSON.parse(text)).toEqual({ error: "Something went wrong on our side." })
    expect(JSON.stringify([...answer.headers])).not.toContain(table)
  })

  test("is one line of the log, besides that of the request", () => {
    const [bug, ...others] = logged(request_id).filter(({ level }) => level === ERROR)
    expect(others).toEqual([])
    expect(bug).toMatchObject({ subject, request_id, err: { code: MISSING_TABLE } })
    expect(bug.err.message).toContain(table)

    const answered = logged(request_id).filter(({ msg }) => msg === "answered")
    expect(answered).toMatchObject([{ route, status: 500, request_id }])
  })

  test("is counted as a request and as an operation of the service", async () => {
    const after = await system.scrape()
    const increaseOf = (name: string, labels: Record<string, string>) =>
      sum(after, `${name}_count`, labels) - sum(before, `${name}_count`, labels)
    expect(increaseOf("tributary_http_request_duration_seconds", { route, status: "500" })).toBe(1)
    const failed = { subject, outcome: "failed" }
    expect(increaseOf("tributary_bus_answer_duration_seconds", failed)).toBeGreaterThanOrEqual(1)
    expect(increaseOf("tributary_bus_call_duration_seconds", failed)).toBeGreaterThanOrEqual(1)
  })

  test("is in the trace of the request, down to the statement that failed", async () => {
    const isRoot = ({ parentSpanId }: { parentSpanId?: string }) => !parentSpanId
    const isCause = (span: { attributes: Record<string, unknown> }) =>
      span.attributes["error.type"] === MISSING_TABLE
    const trace = await collector.traceOf(
      request_id,
      spans => spans.some(isRoot) && spans.some(isCause),
    )
    expect(trace.filter(isRoot)).toMatchObject([
      {
        isFailed: true,
        attributes: { "http.route": route, "http.response.status_code": 500 },
      },
    ])
    const answers = trace.filter(
      ({ name, attributes }) => name === subject && attributes["tributary.request_id"],
    )
    expect(answers).toMatchObject([{ isFailed: true }])
    expect(trace.filter(isCause).every(({ isFailed }) => isFailed)).toBe(true)
  })

  test("ends when its cause does", async () => {
    expect((await request()).status).toBeLessThan(500)
  })
})

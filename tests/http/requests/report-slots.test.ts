import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { launchWithRateLimits } from "../../support/rate-limits"

const START_TIMEOUT_MS = 60_000
const SLOTS = 4
const PROGRAMS = "/api/advertiser/affiliate-programs"
const EVENTS = 60_000
const hasServers = Boolean(Bun.which("redis-server") && Bun.which("nats-server"))

type World = Awaited<ReturnType<typeof launchWithRateLimits>>

describe.each([
  ["one gateway:", {}, true],
  ["two gateways and a Redis:", { PROCESSES: "separate", REPLICAS: "2" }, hasServers],
] as const)("%s", (_gateways, environment, canRun) => {
  let { send, url }: World = {} as never
  let sql: postgres.Sql
  let session: string
  let other: string
  let program_id: number

  beforeAll(async () => {
    if (!canRun) return
    const world = await launchWithRateLimits(environment)
    ;({ send, url } = world)
    const database = await Bun.file(join(world.data_dir, "postgres.json")).json()
    sql = postgres(database.url, { max: 2, onnotice: () => {} })
    session = await newSession()
    other = await newSession()
    const body = { name: "Program" }
    program_id = (await send("POST", PROGRAMS, { token: session, body })).body.data.id
  }, START_TIMEOUT_MS)

  afterAll(() => sql?.end())

  let accounts = 0
  async function newSession(): Promise<string> {
    const email = `reader-${++accounts}@example.com`
    const body = { email, password: "correct horse battery", name: "Reader" }
    return (await send("POST", "/api/auth/sign-up", { body })).body.data.token
  }

  const reports = () => [
    `/api/tracking/events/${program_id}`,
    `/api/tracking/performance/${program_id}`,
    `/api/tracking/breakdown/${program_id}`,
    `${PROGRAMS}/${program_id}/aggregates`,
    "/api/advertiser/dashboard/summary",
  ]
  const report = (token: string, i = 1) => send("GET", reports()[i % 5]!, { token })

  /** Runs `work` while every report waits for a lock in the database. */
  async function whileReportsWait<Result>(work: () => Promise<Result>): Promise<Result> {
    const lock = await sql.reserve()
    await lock`begin`
    await lock`lock table reporting.cursors in access exclusive mode`
    const result = await work().finally(async () => {
      await lock`rollback`
      lock.release()
    })
    return result
  }

  /** Sends reports at once. Returns the promises of those that wait, once the others are refused. */
  async function startReports(count: number) {
    const refused: Awaited<ReturnType<typeof report>>[] = []
    const running = Array.from({ length: count }, (_, i) => report(session, i))
    for (const each of running) {
      void each.then(reply => {
        if (reply.status === 429) refused.push(reply)
      })
    }
    while (refused.length < count - SLOTS) await Bun.sleep(5)
    return { running, refused }
  }

  test.skipIf(!canRun)("a session has at most four reports at once, of any kind", async () => {
    const { running, refused } = await whileReportsWait(async () => {
      const started = await startReports(12)
      await Bun.sleep(100)
      return started
    })
    expect(refused).toHaveLength(12 - SLOTS)
    for (const { headers, body } of refused) {
      expect(body).toEqual({ error: expect.any(String) })
      expect(headers.get("retry-after")).toBe("1")
    }
    const answered = (await Promise.all(running)).filter(({ status }) => status === 200)
    expect(answered).toHaveLength(SLOTS)
    expect((await report(session)).status).toBe(200)
  })

  test.skipIf(!canRun)("another session, and what is no report, are not refused", async () => {
    const replies = await whileReportsWait(async () => {
      const { running } = await startReports(SLOTS + 1)
      const foreign = report(other, 4)
      const own = await send("GET", PROGRAMS, { token: session })
      return { own, foreign, running }
    })
    expect(replies.own.status).toBe(200)
    expect((await replies.foreign).status).toBe(200)
    await Promise.all(replies.running) // the next test needs their slots
  })

  test.skipIf(!canRun)("one after the other, a session has as many as it likes", async () => {
    for (let i = 0; i < 3 * SLOTS; i++) expect((await report(session, i)).status).toBe(200)
  })

  test.skipIf(!canRun)(
    "an export holds its slot until it ends or is cut off",
    async () => {
      await sql`
        insert into reporting.events (
          program_id, timestamp, event_type, id, customer_id, partner_id, link_id, click_id,
          page_url, created_at
        )
        select
          ${program_id}, now() - n * interval '1 second', 'click', n, 1, 1, 1, 'clk',
          repeat('x', 1000), now()
        from generate_series(1, ${EVENTS}::int) as n
      `
      const exports = await Promise.all(
        Array.from({ length: SLOTS }, async () => {
          const cut = new AbortController()
          const headers = { authorization: `Bearer ${session}`, accept: "text/csv" }
          const path = `${url}/api/tracking/events/${program_id}`
          const reply = await fetch(path, { headers, signal: cut.signal, keepalive: false })
          expect(reply.status).toBe(200)
          return { reply, cut }
        }),
      )
      expect((await report(session)).status).toBe(429)
      exports[0]!.cut.abort()
      while ((await report(session)).status === 429) await Bun.sleep(50)

      const [, second, ...rest] = exports
      expect((await second!.reply.text()).split("\r\n")).toHaveLength(EVENTS + 2)
      for (const { cut } of rest) cut.abort()
      while ((await report(session)).status === 429) await Bun.sleep(50)
    },
    START_TIMEOUT_MS,
  )
})

import { beforeAll, describe, expect, test } from "bun:test"
import { controlClock } from "../../support/clock"
import { runAudit } from "../../support/commands"
import { sum } from "../../support/metrics"
import { launchWithMetrics } from "../../support/system-with-metrics"

const TIMEOUT_MS = 60_000
const DAY_SECONDS = 86_400
const PROGRAMS = "/api/advertiser/affiliate-programs"

const OWNER = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }

const REPLICAS = "1" // so that the sum of a gauge over the processes is its value
type System = Awaited<ReturnType<typeof launchWithMetrics>>

let system: System
let code: string
let program: Awaited<ReturnType<typeof newProgram>>

const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
const daysFromNow = (days: number) => secondsFromNow(days * DAY_SECONDS)

const click = (fields: object = {}, of = code) =>
  system.send("/api/v1/track/click", {
    affiliate_url: `https://shop.example/?aff=${of}`,
    ...fields,
  })

const sale = (fields: object) =>
  system.send("/api/v1/track/sale", { amount_cents: 1_000, ...fields }, program.api_token)

/** Sets the database's clock. Null: to the right time. */
const setClock = (at: string | null) => system.sql`update clock.hand set at = ${at}`

async function waitUntil(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await Bun.sleep(100)
}

async function restart(environment: Record<string, string> = {}) {
  const { data_dir } = system
  await system.stop()
  system = await launchWithMetrics({ REPLICAS, DATA_DIR: data_dir, ...environment })
}

async function expectCleanAudit() {
  const { code, output } = await runAudit(system.data_dir)
  expect(output).not.toContain("violations:")
  expect(code).toBe(0)
}

/** Creates a program with two partners; `codes` are those of their links. */
async function newProgram() {
  const { token: session } = (await system.send("/api/auth/sign-up", OWNER)).data
  const { data: program } = await system.send(PROGRAMS, { name: "Program" }, session)
  const partners: { partner_id: number; links: [{ code: string }] }[] = []
  for (const name of ["one", "two"]) {
    const partner = { email: `${name}@example.com`, name }
    partners.push((await system.send(`${PROGRAMS}/${program.id}/partners`, partner, session)).data)
  }
  const [one, two] = partners.map(({ links }) => links[0].code) as [string, string]
  return {
    session: session as string,
    ...(program as { id: number; api_token: string }),
    codes: [one, two] as const,
  }
}

beforeAll(async () => {
  system = await launchWithMetrics({ REPLICAS })
  await controlClock(system.sql)
  await waitUntil(async () => (await fetch(`${system.url}/status`)).ok) // its sessions were ended
  program = await newProgram()
  code = program.codes[0]
}, TIMEOUT_MS)

describe("a click whose month has no partition", () => {
  const misplaced = async () => sum(await system.scrape(), "tributary_clicks_in_default_partition")
  let click_id: string

  test(
    "is stored, and the metric tells, while a session keeps the month from being made",
    async () => {
      await system.sql.begin(async sql => {
        await sql`lock table tracking.affiliate_click_events_other in access share mode`
        await setClock(daysFromNow(200))
        click_id = (await click()).click_id
        expect(click_id).toStartWith("clk_")
        expect(await misplaced()).toBe(1)
        await waitUntil(async () => system.output().includes("Creating partitions failed"))
        expect(await click()).toMatchObject({ success: true })
        expect(await misplaced()).toBe(2)
        await setClock(null)
      })
    },
    TIMEOUT_MS,
  )

  test(
    "does not keep tracking from starting in that month, and moves there",
    async () => {
      await setClock(daysFromNow(200))
      await restart()
      expect(await click()).toMatchObject({ success: true })
      await waitUntil(async () => (await misplaced()) === 0)
      const rows = await system.sql`
        select tableoid::regclass::text as partition
        from tracking.affiliate_click_events
        where click_id = ${click_id}
      `
      const month = daysFromNow(200).slice(0, 7).replace("-", "_")
      expect(rows[0]).toEqual({ partition: `tracking.affiliate_click_events_${month}` })
      await setClock(null)
      await expectCleanAudit()
    },
    TIMEOUT_MS,
  )
})

describe("a clock that is set back by ten seconds", () => {
  const commissionOf = async (transaction_id: string) => {
    const path = `${PROGRAMS}/${program.id}/commissions?pageSize=100`
    const { data } = await system.read(path, program.session)
    return data.find((commission: any) => commission.transaction_id === transaction_id)
  }
  beforeAll(async () => {
    program.session = (await system.send("/api/auth/sign-in", OWNER)).data.token // it had expired
  })

  const partnerOf = async (code: string) =>
    (await system.sql`select partner_id::int from tracking.referral_links where code = ${code}`)[0]!

  test("does not lose a newer click to an older one", async () => {
    const [one, two] = program.codes
    await setClock(secondsFromNow(0))
    const { click_id } = await click({}, one)
    await setClock(secondsFromNow(-10))
    await click({ existing_click_id: click_id }, two)
    await sale({ transaction_id: "newer click", click_id })
    expect(await commissionOf("newer click")).toMatchObject(await partnerOf(two))
  })

  test("does not keep a policy from the sales after it", async () => {
    const { data } = await system.read(`${PROGRAMS}/${program.id}/groups`, program.session)
    const { click_id } = await click()
    await setClock(secondsFromNow(0))
    const changed = await system.request("PUT", `${PROGRAMS}/${program.id}/groups/${data[0].id}`, {
      token: program.session,
      body: { policy: { kind: "percent", rate_bps: 5_000 } },
    })
    expect(changed.status).toBe(200)
    await setClock(secondsFromNow(-10))
    await sale({ transaction_id: "newer policy", click_id })
    expect(await commissionOf("newer policy")).toMatchObject({ amount_cents: 500 })
  })

  test("converts the clicks before a sale, and none after it", async () => {
    await setClock(secondsFromNow(0))
    const { click_id } = await click()
    await system.send("/api/v1/track/lead", { click_id, customer_key: "set back" })
    await setClock(secondsFromNow(-10))
    await sale({ transaction_id: "set back", click_id })
    await setClock(secondsFromNow(-20))
    await click({ existing_click_id: click_id })

    const listed = await system.read(
      `/api/tracking/events/${program.id}?pageSize=100&dateFrom=${daysFromNow(-1)}`,
      program.session,
    )
    const events = listed.data
      .filter((event: any) => event.click_id === click_id && event.event_type !== "conversion")
      .sort((a: any, b: any) => (a.event_type + a.id < b.event_type + b.id ? -1 : 1))
    expect(events.map((event: any) => [event.event_type, event.converted])).toEqual([
      ["click", true],
      ["click", false],
      ["lead", true],
    ])
    await setClock(null)
  })
})

test("what was put off while the clock was ahead is done once it is right", async () => {
  const { click_id } = await click()
  await sale({ transaction_id: "put off", click_id })
  await system.sql`
    update tracking.affiliate_sale_events
    set
      state = 'pending',
      final_xact = null,
      commission_id = null,
      acknowledged_by = null,
      try_after = now() + interval '20 hours'
    where transaction_id = 'put off'
  `
  await waitUntil(async () => {
    const pending = await system.sql`
      select from tracking.affiliate_sale_events where state = 'pending'
    `
    return pending.length === 0
  })
})

describe("a clock that is set ahead by thirty hours", () => {
  const newCustomer = async () => ({ click_id: (await click()).click_id })
  const setHold = async (hold_days: number) => {
    const { data } = await system.read(`${PROGRAMS}/${program.id}/groups`, program.session)
    const body = { policy: { kind: "percent", rate_bps: 5_000, hold_days } }
    const path = `${PROGRAMS}/${program.id}/groups/${data[0].id}`
    expect(await system.request("PUT", path, { token: program.session, body })).toMatchObject({
      status: 200,
    })
  }
  const statusOf = async (transaction_id: string) => {
    const [commission] = await system.sql`
      select status from commissions.commissions where transaction_id = ${transaction_id}
    `
    return commission!.status
  }
  const runsOf = async (timer: string) =>
    sum(await system.scrape(), "tributary_timer_run_duration_seconds_count", { timer })

  async function waitForRuns(timer: string) {
    const runs = await runsOf(timer)
    await waitUntil(async () => (await runsOf(timer)) >= runs + 2)
  }
  const stepOf = async (service: string) =>
    sum(await system.scrape(), "tributary_clock_step_seconds", { service })

  beforeAll(async () => {
    await setHold(0)
    await sale({ transaction_id: "over", ...(await newCustomer()) })
    await setHold(1)
    await sale({ transaction_id: "on hold", ...(await newCustomer()) })
    await setClock(secondsFromNow(30 * 3_600))
  }, TIMEOUT_MS)

  test(
    "approves no commission whose hold it has ended, and tells",
    async () => {
      await waitUntil(async () => (await statusOf("over")) === "approved")
      await waitForRuns("Approving commissions")
      expect(await statusOf("on hold")).toBe("pending")
      expect(await stepOf("commissions")).toBeWithin(29 * 3_600, 31 * 3_600)
      const { problems } = (await system.request("GET", "/status")).body
      expect(problems).toContainEqual(expect.stringContaining("commissions: The clock of the"))
      expect(system.output()).toContain("The clock of the database was set ahead by 30 hours")
    },
    TIMEOUT_MS,
  )

  test(
    "nor after a restart",
    async () => {
      await restart()
      await waitForRuns("Approving commissions")
      expect(await statusOf("on hold")).toBe("pending")
      await expectCleanAudit()
    },
    TIMEOUT_MS,
  )

  test(
    "is forgotten once it is right again",
    async () => {
      await setClock(null)
      await waitForRuns("Approving commissions")
      expect(await stepOf("commissions")).toBe(0)
      expect(await statusOf("on hold")).toBe("pending")
      await setHold(0)
      await sale({ transaction_id: "over again", ...(await newCustomer()) })
      await waitForRuns("Approving commissions")
      expect(await statusOf("over again")).toBe("approved")
    },
    TIMEOUT_MS,
  )
})

describe("a clock that is set ahead by 300 days", () => {
  const kept = async () => {
    const [{ clicks }] = (await system.sql`
      select count(*)::int as clicks
      from tracking.affiliate_click_events
      where click_timestamp < now() + interval '1 day'
    `) as unknown as [{ clicks: number }]
    return clicks
  }

  test(
    "drops no click, and reports count the clicks after it",
    async () => {
      const before = await kept()
      expect(before).toBeGreaterThan(0)
      await setClock(daysFromNow(300))
      await restart({ CLICK_RETENTION_MONTHS: "1" })
      await click()
      const timer = { timer: "Dropping old clicks", outcome: "done" }
      await waitUntil(async () => {
        const samples = await system.scrape()
        return sum(samples, "tributary_timer_run_duration_seconds_count", timer) > 0
      })
      await setClock(null)
      expect(await kept()).toBe(before)

      await restart()
      await click()
      await expectCleanAudit()
      expect(sum(await system.scrape(), "tributary_clicks_left_out")).toBe(0)
    },
    TIMEOUT_MS,
  )
})

test(
  "a click that comes after its month was dropped is counted as left out",
  async () => {
    await system.sql`
      insert into tracking.dropped_clicks (program_id, dimension, value, starts_at, clicks, ids)
      values (${program.id}, 'hour', '', date_trunc('month', now()), 1, 1)
    `
    const leftOut = async () => sum(await system.scrape(), "tributary_clicks_left_out")
    await waitUntil(async () => {
      const rows = await system.sql`select from reporting.dropped_clicks`
      return rows.length > 0
    })
    await click()
    await waitUntil(async () => (await leftOut()) === 1)
    const { problems } = (await system.request("GET", "/status")).body
    expect(problems).toContainEqual(expect.stringContaining("no report counts yet: 1."))

    await system.sql`
      insert into tracking.dropped_clicks (program_id, dimension, value, starts_at, clicks, ids)
      values (${program.id}, 'hour', '', date_trunc('hour', now()), 1, 1)
    `
    await waitUntil(async () => (await leftOut()) === 0) // its hour has totals now
  },
  TIMEOUT_MS,
)

import { beforeAll, describe, expect, test } from "bun:test"
import { controlClock } from "../../support/clock"
import { runAudit } from "../../support/commands"
import { sum } from "../../support/metrics"
import { launchWithMetrics } from "../../support/system-with-metrics"

const TIMEOUT_MS = 60_000
const DAY_MS = 86_400_000
const PROGRAMS = "/api/advertiser/affiliate-programs"

type System = Awaited<ReturnType<typeof launchWithMetrics>>

let system: System
let code: string

const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const click = (fields: object = {}) =>
  system.send("/api/v1/track/click", {
    affiliate_url: `https://shop.example/?aff=${code}`,
    ...fields,
  })

/** Sets the database's clock. Null: to the right time. */
const setClock = (at: string | null) => system.sql`update clock.hand set at = ${at}`

async function waitUntil(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await Bun.sleep(100)
}

async function restart(environment: Record<string, string> = {}) {
  const { data_dir } = system
  await system.stop()
  system = await launchWithMetrics({ DATA_DIR: data_dir, ...environment })
}

async function expectCleanAudit() {
  const { code, output } = await runAudit(system.data_dir)
  expect(output).not.toContain("violations:")
  expect(code).toBe(0)
}

/** Creates a program with a partner, and returns the session, the token and the partner's code. */
async function newProgram() {
  const account = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }
  const { token: session } = (await system.send("/api/auth/sign-up", account)).data
  const { data: program } = await system.send(PROGRAMS, { name: "Program" }, session)
  const partner = { email: "partner@example.com", name: "Partner" }
  const added = await system.send(`${PROGRAMS}/${program.id}/partners`, partner, session)
  return { session, ...program, code: added.data.links[0].code }
}

beforeAll(async () => {
  system = await launchWithMetrics()
  await controlClock(system.sql)
  await waitUntil(async () => (await fetch(`${system.url}/status`)).ok) // its sessions were ended
  const program = await newProgram()
  code = program.code
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

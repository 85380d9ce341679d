import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { runAudit } from "../../support/commands"
import { sum } from "../../support/metrics"
import { openShop, type Shop } from "../../support/own-shop"
import { launchWithMetrics } from "../../support/system-with-metrics"

const TIMEOUT_MS = 120_000
const POISON = "poison"
const ROWS = "tributary_feed_rows_set_aside"
const STALLED = "tributary_feed_stalled_seconds"

let system: Awaited<ReturnType<typeof launchWithMetrics>>
let poisoned: Shop
let other: Shop

const statusOf = async () => {
  const answer = await fetch(`${system.url}/status`)
  return { status: answer.status, body: (await answer.json()) as { problems?: string[] } }
}

/** The transaction_ids that the list of events shows. */
async function listed({ program_id, session }: Shop): Promise<string[]> {
  const path = `/api/tracking/events/${program_id}?eventType=conversion&pageSize=100`
  const { data } = await system.read(path, session)
  return data.map((sale: { processor_event_id: string }) => sale.processor_event_id)
}

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await Bun.sleep(200)
}

const countOf = (text: string) => system.output().split(text).length - 1

beforeAll(async () => {
  system = await launchWithMetrics({ REPLICAS: "1" })
  ;[poisoned, other] = [await openShop(system), await openShop(system)]
}, TIMEOUT_MS)
afterAll(() => system?.stop())

describe("a row of a feed that cannot be applied", () => {
  let click_id: string

  beforeAll(async () => {
    await system.sql.unsafe(`
      alter table reporting.events
        add constraint poison check (transaction_id is distinct from '${POISON}')
    `)
    ;({ click_id } = await poisoned.sell(1_000, { transaction_id: POISON, customer_key: "ada" }))
  })

  test(
    "stops no other program, nor its own",
    async () => {
      const sold = [await other.sell(2_000), await poisoned.sell(3_000)]
      await until(async () => (await listed(other)).length === 1)
      expect(await listed(other)).toEqual([sold[0]!.transaction_id])
      expect(await listed(poisoned)).toEqual([sold[1]!.transaction_id])
    },
    TIMEOUT_MS,
  )

  test("is counted by /status and a metric, without its content", async () => {
    const { status, body } = await statusOf()
    expect(status).toBe(200)
    expect(body.problems).toEqual([expect.stringMatching(/^reporting: 1 row of the feed sales /)])
    expect(JSON.stringify(body)).not.toContain(POISON)
    expect(sum(await system.scrape(), ROWS, { reader: "reporting", feed: "sales" })).toBe(1)
  })

  test(
    "is named by npm run audit, with the reason",
    async () => {
      const { code, output } = await runAudit(system.data_dir)
      expect(output).toMatch(
        new RegExp(`feed sales of program ${poisoned.program_id} .*check constraint "poison"`),
      )
      expect(code).toBe(1)
    },
    TIMEOUT_MS,
  )

  test("is one line of the log, and not one for each try", async () => {
    await Bun.sleep(2_000)
    expect(countOf("A row cannot be applied and is set aside")).toBe(1)
    expect(countOf("Feeds could not be applied")).toBe(1)
  })

  test(
    "loses what an erasure takes from its customer",
    async () => {
      const held = async () => (await system.sql`select row from reporting.set_aside`)[0]!.row
      expect(await held()).toContain(click_id)
      expect((await poisoned.manage("DELETE", "/customers/ada")).status).toBe(200)
      await until(async () => !(await held()).includes(click_id))
    },
    TIMEOUT_MS,
  )

  test(
    "is applied once it can be",
    async () => {
      await system.sql`alter table reporting.events drop constraint poison`
      await until(async () => (await listed(poisoned)).includes(POISON))
      expect((await statusOf()).body.problems).toBeUndefined()
      const { code, output } = await runAudit(system.data_dir)
      expect(output).toMatch(/No row that reporting reads is set aside +0 rows {2}holds/)
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )
})

test(
  "a feed that has news and does not move for a minute is named by /status and a metric",
  async () => {
    const named = async () => (await statusOf()).body.problems?.join() ?? ""
    await system.sql.begin(async sql => {
      await sql`lock table reporting.daily in access exclusive mode`
      await other.sell(2_000)
      await until(async () => (await named()).includes("reporting: no new rows were applied"))
      expect(await named()).toContain("sales")
      expect(sum(await system.scrape(), STALLED, { feed: "sales" })).toBeGreaterThan(60)
    })
    await until(async () => (await named()) === "")
    expect(sum(await system.scrape(), STALLED)).toBe(0)
  },
  TIMEOUT_MS,
)

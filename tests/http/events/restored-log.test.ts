import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readEventLog, untilPublished, writtenEventIds } from "../../support/event-log"
import { openShop, type Shop } from "../../support/own-shop"
import { launchOwnSystem, type System } from "../../support/own-system"
import { saveDelivery } from "../../support/saved-delivery"

const TIMEOUT_MS = 60_000
const HELD_MS = 1_500 // longer than a reader of a feed waits for it
const REFUSED_CENTS = 4_323 // 30 percent of 14,410

let system: System
let shop: Shop
beforeAll(async () => {
  system = await launchOwnSystem()
  shop = await openShop(system)
}, TIMEOUT_MS)
afterAll(() => system?.stop())

const readLog = () => readEventLog(path => system.read(path, shop.session), shop.program_id)
const published = () => untilPublished(system.sql, shop.program_id)
const sellMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => shop.sell(1_000 + i)))

test(
  "what was rolled back makes no event, until it succeeds",
  async () => {
    await system.sql.unsafe(
      `alter table commissions.ledger
        add constraint refused check (amount_cents <> ${REFUSED_CENTS})`,
    )
    const refused = await shop.sell((REFUSED_CENTS * 10) / 3)
    expect(refused.status).toBe(500)
    await shop.sell(1_000)
    await published()
    const transactions = async () => (await readLog()).map(({ data }) => data.transaction_id)
    expect(await transactions()).not.toContain(refused.transaction_id)

    await system.sql`alter table commissions.ledger drop constraint refused`
    while (!(await transactions()).includes(refused.transaction_id)) await Bun.sleep(100)
    await published()
    expect((await transactions()).filter(id => id === refused.transaction_id).length).toBe(2)
  },
  TIMEOUT_MS,
)

describe("the database of delivery, restored to an earlier moment,", () => {
  test(
    "tells the same events with the same numbers again",
    async () => {
      await sellMany(5)
      await published()
      const restore = await saveDelivery(system.sql)
      await sellMany(20)
      await published()
      const before = await readLog()

      await restore()
      expect((await readLog()).length).toBeLessThan(before.length)
      await shop.sell(9_999) // is numbered after all that was lost
      await published()
      const after = await readLog()
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.length).toBe(before.length + 2)
    },
    TIMEOUT_MS,
  )

  test(
    "never skips what it has not read again",
    async () => {
      const restore = await saveDelivery(system.sql)
      await sellMany(10)
      await published()
      const before = await readLog()
      const held = system.sql.begin(async sql => {
        await sql`lock table tracking.outgoing_events in access exclusive mode`
        await restore()
        for (const end = Date.now() + HELD_MS; Date.now() < end; await Bun.sleep(100)) {
          const log = await readLog()
          expect(log).toEqual(before.slice(0, log.length))
        }
      })
      await held
      await published()
      expect(await readLog()).toEqual(before)
    },
    TIMEOUT_MS,
  )

  test("has exactly the events that were written", async () => {
    const events = await readLog()
    expect(events.map(({ id }) => id).toSorted()).toEqual(
      await writtenEventIds(system.sql, shop.program_id),
    )
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
  })
})

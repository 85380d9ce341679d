import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { openShop, type Shop } from "../../support/own-shop"
import { launchOwnSystem, type System } from "../../support/own-system"

const TIMEOUT_MS = 60_000

let system: System
let mine: Shop
let others: Shop

beforeAll(async () => {
  system = await launchOwnSystem()
  others = await openShop(system)
  mine = await openShop(system)
}, TIMEOUT_MS)
afterAll(() => system?.stop())

describe("an id that was issued again is no other sale's", () => {
  test("a sale is not answered with the commission of another program's sale", async () => {
    const before = await others.sell(10_000)
    expect(before.status).toBe(200)
    const balance = await others.balance()

    const after = await sellAgain(before.sale_id, mine)
    const [stored] = await system.sql`
      select id, state
      from tracking.affiliate_sale_events
      where transaction_id = ${after.transaction_id}
    `
    expect(stored).toEqual({ id: `${before.sale_id}`, state: "pending" })
    expect(after).toMatchObject({ status: 500, reply: { error: expect.any(String) } })
    expect(await mine.balance()).toBe(0)
    expect(await others.balance()).toBe(balance)
  })

  test("nor with that of the same program's sale, if the amount differs", async () => {
    const before = await others.sell(10_000)
    expect(await sellAgain(before.sale_id, others)).toMatchObject({ status: 500 })
  })

  test("a refund does not fall on another program's commission", async () => {
    const [hit, sold] = [await others.sell(10_000), await mine.sell(500)]
    expect([hit.status, sold.status]).toEqual([200, 200])
    const balances = [await others.balance(), await mine.balance()]
    await swapSales(hit.commission_id, sold.commission_id)

    const refused = await mine.refund(sold.transaction_id)
    expect(refused).toMatchObject({ status: 503, body: { error: expect.any(String) } })
    expect([await others.balance(), await mine.balance()]).toEqual(balances)
    expect(await mine.manage("GET", `/sales/${sold.sale_id}`)).toMatchObject({ status: 503 })

    await swapSales(hit.commission_id, sold.commission_id)
    const refunded = await mine.refund(sold.transaction_id)
    expect(refunded).toMatchObject({ body: { status: "reversed" } })
  })

  test("a refund of a commission that does not exist is no refund of nothing", async () => {
    const sold = await mine.sell(500)
    await system.sql`
      update commissions.commissions
      set sale_id = sale_id + 1000000
      where id = ${sold.commission_id}
    `
    expect(await mine.refund(sold.transaction_id)).toMatchObject({ status: 503 })
  })
})

test("the log says which operation refused", () => {
  const log = system.output()
  for (const name of ["createCommission", "reverseCommission", "showCommission"]) {
    expect(log.includes(`${name}: the row under its key is another one`), name).toBe(true)
  }
})

/**
 * Sells with the id of this sale, as after tracking alone was restored to a moment before it. The
 * sequence counts down to the id, because tracking refuses its work while its highest id is below
 * what commissions refers to.
 */
async function sellAgain(sale_id: number, shop: Shop) {
  await system.sql`delete from tracking.affiliate_sale_events where id = ${sale_id}`
  await system.sql`select setval('tracking.affiliate_sale_events_id_seq', ${sale_id + 1})`
  await system.sql`alter sequence tracking.affiliate_sale_events_id_seq increment by -1`
  const sold = await shop.sell(500)
  await system.sql`alter sequence tracking.affiliate_sale_events_id_seq increment by 1`
  return sold
}

/** Exchanges the sales of two commissions, as when their ids were issued again in another order. */
const swapSales = (...commission_ids: [number, number]) =>
  system.sql.begin(async sql => {
    const rows = await sql`
      select id, sale_id
      from commissions.commissions
      where id = any (${commission_ids}::bigint[])
    `
    await sql`
      update commissions.commissions
      set sale_id = -id
      where id = any (${commission_ids}::bigint[])
    `
    for (const [i, { id }] of rows.entries()) {
      const { sale_id } = rows.at(i - 1)!
      await sql`update commissions.commissions set sale_id = ${sale_id} where id = ${id}`
    }
  })

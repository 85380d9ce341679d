import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { launchOwnSystem, type System } from "../../support/own-system"

const TIMEOUT_MS = 60_000
const PROGRAMS = "/api/advertiser/affiliate-programs"

type Program = { path: string; session: string; api_token: string; code: string }

let system: System
let [mine, others]: Program[] = []
let count = 0
const unique = (what: string) => `${what}-${++count}`

/** A program of a new workspace, with one partner. */
async function newProgram(): Promise<Program> {
  const account = { email: `${unique("owner")}@example.com`, password: "correct horse battery" }
  const signedUp = await system.send("/api/auth/sign-up", { ...account, name: "Owner" })
  const session = signedUp.data.token
  const { id, api_token } = (await system.send(PROGRAMS, { name: unique("Shop") }, session)).data
  const path = `${PROGRAMS}/${id}`
  const partner = { email: "partner@example.com", name: "Partner" }
  const { links } = (await system.send(`${path}/partners`, partner, session)).data
  return { path, session, api_token, code: links[0].code }
}

async function sell({ code, api_token }: Program, amount_cents: number) {
  const affiliate_url = `https://shop.example/?aff=${code}`
  const { click_id } = await system.send("/api/v1/track/click", { affiliate_url })
  const body = { transaction_id: unique("sale"), amount_cents, click_id }
  const reply = await system.request("POST", "/api/v1/track/sale", { token: api_token, body })
  return { ...body, ...reply, sale_id: reply.body.sale_id, commission_id: reply.body.commission_id }
}

const refund = ({ api_token }: Program, transaction_id: string) =>
  system.request("POST", "/api/v1/track/refund", { token: api_token, body: { transaction_id } })

const balanceOf = async ({ path, session }: Program) =>
  (await system.read(`${path}/partners`, session)).data[0].balance_cents

beforeAll(async () => {
  system = await launchOwnSystem()
  others = await newProgram()
  mine = await newProgram()
}, TIMEOUT_MS)
afterAll(() => system?.stop())

describe("an id that was issued again is no other sale's", () => {
  test("a sale is not answered with the commission of another program's sale", async () => {
    const before = await sell(others!, 10_000)
    expect(before.status).toBe(200)
    const balance = await balanceOf(others!)
    await forgetSales(before.sale_id) // as if tracking alone was restored to a moment before it

    const after = await sell(mine!, 500)
    const [stored] = await system.sql`
      select id, state from tracking.affiliate_sale_events
      where transaction_id = ${after.transaction_id}
    `
    expect(stored).toEqual({ id: `${before.sale_id}`, state: "pending" })
    expect(after).toMatchObject({ status: 500, body: { error: expect.any(String) } })
    expect(await balanceOf(mine!)).toBe(0)
    expect(await balanceOf(others!)).toBe(balance)
  })

  test("nor one of the same program, with another amount", async () => {
    const before = await sell(others!, 10_000)
    await forgetSales(before.sale_id)
    expect(await sell(others!, 500)).toMatchObject({ status: 500 })
  })

  test("a refund does not fall on another program's commission", async () => {
    const [hit, sold] = [await sell(others!, 10_000), await sell(mine!, 500)]
    expect([hit.status, sold.status]).toEqual([200, 200])
    const balances = [await balanceOf(others!), await balanceOf(mine!)]
    await swapSales(hit.commission_id, sold.commission_id)

    const refused = await refund(mine!, sold.transaction_id)
    expect(refused).toMatchObject({ status: 503, body: { error: expect.any(String) } })
    expect([await balanceOf(others!), await balanceOf(mine!)]).toEqual(balances)

    const shown = await system.request("GET", `${mine!.path}/sales/${sold.sale_id}`, {
      token: mine!.session,
    })
    expect(shown.status).toBe(503)
    await swapSales(hit.commission_id, sold.commission_id)
    expect(await refund(mine!, sold.transaction_id)).toMatchObject({ body: { status: "reversed" } })
  })

  test("a refund of a commission that does not exist is no refund of nothing", async () => {
    const sold = await sell(mine!, 500)
    await system.sql`
      update commissions.commissions
      set sale_id = sale_id + 1000000
      where id = ${sold.commission_id}
    `
    expect(await refund(mine!, sold.transaction_id)).toMatchObject({ status: 503 })
  })
})

test("the log says which operation refused", () => {
  const log = system.output()
  for (const name of ["createCommission", "reverseCommission", "showCommission"]) {
    expect(log.includes(`${name}: the row under its key is another one`), name).toBe(true)
  }
})

/** Deletes the sales from this id on, and lets tracking issue their ids again. */
async function forgetSales(sale_id: number) {
  await system.sql`delete from tracking.affiliate_sale_events where id >= ${sale_id}`
  await system.sql`
    select setval('tracking.affiliate_sale_events_id_seq', ${sale_id}, false)
  `
}

/** Exchanges the sales of two commissions, as ids do that were issued again in another order. */
async function swapSales(one: number, other: number) {
  await system.sql.begin(async sql => {
    const [{ sale_id: first }] = (await sql`
      select sale_id from commissions.commissions where id = ${one}
    `) as [{ sale_id: string }]
    const [{ sale_id: second }] = (await sql`
      select sale_id from commissions.commissions where id = ${other}
    `) as [{ sale_id: string }]
    await sql`update commissions.commissions set sale_id = 0 where id = ${one}`
    await sql`update commissions.commissions set sale_id = ${first} where id = ${other}`
    await sql`update commissions.commissions set sale_id = ${second} where id = ${one}`
  })
}

import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, sell, settle } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const balancesOf = async (token: string, query = "") =>
  (await send("GET", `/api/partner/balances${query}`, { token })).body.data
const ledger = (token: string, query: string) =>
  send("GET", `/api/partner/ledger${query}`, { token })

let program: TestProgram
let account: string
beforeAll(async () => {
  program = await newProgram()
  account = await newPartnerAccount(program)
})

/** A new partner with one commission in each state: 15.00 each, since a sale is 49.99. */
async function newBooks(currency = "USD") {
  const { partner_id, code } = await newPartner(program)
  const token = await newPartnerAccount({ ...program, partner_id })
  const sale = () => sell(program, code, { currency })
  const [pending, approved, paid, rejected, reversed, partly, late] = [
    await sale(),
    await sale(),
    await sale(),
    await sale(),
    await sale(),
    await sale(),
    await sale(),
  ]
  for (const { commission_id } of [approved, paid, late])
    await settle(program, commission_id, "approve")
  for (const { commission_id } of [paid, late]) await settle(program, commission_id, "mark-paid")
  await settle(program, rejected.commission_id, "reject")
  await refund(program, { transaction_id: reversed.transaction_id })
  await refund(program, { transaction_id: partly.transaction_id, refund_amount_cents: 1_000 })
  await refund(program, { transaction_id: late.transaction_id, refund_amount_cents: 1_000 })
  return { token, partner_id, code, pending }
}

describe("GET /api/partner/balances", () => {
  test("divides what is owed by its state", async () => {
    const { token } = await newBooks()
    expect(await balancesOf(token, `?program_id=${program.program_id}`)).toEqual([
      {
        currency: "USD",
        owed_cents: 3_900, // pending 15.00, approved 15.00, partly refunded 12.00, late refund −3.00
        pending_cents: 2_700,
        held_cents: 0,
        payable_cents: 1_200,
        drafted_cents: 0,
        in_flight_cents: 0,
        paid_cents: 3_000,
        earned_cents: 6_900,
        next_approval: { at: expect.any(String), amount_cents: 2_700 }, // all that is pending
      },
    ])
  })

  test("names the end of the next hold, with all that it releases on that day", async () => {
    const { partner_id, code } = await newPartner(program)
    const token = await newPartnerAccount({ ...program, partner_id })
    const sales = [await sell(program, code), await sell(program, code), await sell(program, code)]
    const [first, second, third] = sales.map(({ commission_id }) => commission_id)
    const endsAt = (time: string, id: number | undefined) => sql`
      update commissions.commissions
      set hold_ends_at = ${time}
      where id = ${id!}
    `
    await endsAt("2090-12-08T08:00:00.000Z", first)
    await endsAt("2090-12-08T23:59:59.999Z", second)
    await endsAt("2090-12-09T00:00:00.000Z", third)
    expect(await balancesOf(token)).toMatchObject([
      { next_approval: { at: "2090-12-08T08:00:00.000Z", amount_cents: 3_000 } },
    ])
  })

  test("adds up the programs of a person, but never currencies", async () => {
    const email = newEmail()
    const other = await newProgram({ currency: "EUR" })
    const one = await newSale(program)
    await newPartnerAccount({ ...program, partner_id: one.partner_id }, email)
    const two = await newSale(other, { currency: "EUR" })
    const token = await newPartnerAccount({ ...other, partner_id: two.partner_id }, email)
    await sell(other, two.code, { currency: "USD", amount_cents: 1_000 })

    const owed = async (query = "") =>
      (await balancesOf(token, query)).map(
        ({ currency, owed_cents }: { currency: string; owed_cents: number }) =>
          `${currency} ${owed_cents}`,
      )
    expect(await owed()).toEqual(["EUR 1500", "USD 1800"])
    expect(await owed(`?program_id=${other.program_id}`)).toEqual(["EUR 1500", "USD 300"])
  })

  test("is empty before the first sale", async () => {
    expect(await balancesOf(account)).toEqual([])
  })

  refusesBadCredentials("GET", () => "/api/partner/balances")
})

describe("GET /api/partner/ledger", () => {
  test("lists transfers newest first, whose legs add up to 0 and to the balance", async () => {
    const { token, pending } = await newBooks()
    const of = `?program_id=${program.program_id}`
    const { body } = await ledger(token, `${of}&pageSize=100`)
    expect(body.data.at(-1)).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      kind: "commission",
      currency: "USD",
      legs: [
        { account: "owed", amount_cents: 1_500 },
        { account: "cost", amount_cents: -1_500 },
      ],
      commission_id: pending.commission_id,
      sale_id: pending.sale_id,
      refund_id: null,
      payout_item_id: null,
      note: null,
    })
    const sums: Record<string, number> = { cost: 0, owed: 0, paid: 0 }
    for (const { legs } of body.data) {
      let sum = 0
      for (const { account, amount_cents } of legs) {
        sums[account]! += amount_cents
        sum += amount_cents
      }
      expect(sum).toBe(0)
    }
    const [{ owed_cents, paid_cents, earned_cents }] = await balancesOf(token, of)
    expect(sums).toEqual({ owed: owed_cents, paid: paid_cents, cost: -earned_cents })
    const ids = body.data.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(ids.toSorted((one: number, other: number) => other - one))

    const page = await ledger(token, `${of}&page=2&pageSize=3`)
    expect(page.body.data).toEqual(body.data.slice(3, 6))
  })

  test("can be limited to a currency", async () => {
    const { partner_id, code } = await newSale(program)
    const token = await newPartnerAccount({ ...program, partner_id })
    await sell(program, code, { currency: "JPY" })
    const { body } = await ledger(token, `?program_id=${program.program_id}&currency=JPY`)
    expect(body).toMatchObject({ data: [{ currency: "JPY" }], meta: { pagination: { total: 1 } } })
  })

  test("shows a member the ledger of a partner, and nothing of the others", async () => {
    const { token, partner_id } = await newBooks()
    const of = `?program_id=${program.program_id}`
    const own = await ledger(token, of)
    const seen = await ledger(program.session, `${of}&as_partner=${partner_id}`)
    expect(seen.body).toEqual(own.body)
    expect((await ledger(account, of)).body.data).toEqual([])
  })

  refusesBadCredentials("GET", ({ program_id }) => `/api/partner/ledger?program_id=${program_id}`)

  test.each<[number, string, () => Promise<string>, () => string]>([
    [401, "a key", async () => (await newKey(program)).key, () => ""],
    [403, "an owner who is no partner", async () => program.session, () => own()],
    [404, "a program not joined", async () => account, () => `?program_id=${2 ** 52}`],
    [404, "an invalid program", async () => account, () => "?program_id=abc"],
    [400, "no program", async () => account, () => ""],
    [400, "no program, as a partner", async () => program.session, () => "?as_partner=1"],
    [400, "an invalid currency", async () => account, () => `${own()}&currency=usd`],
    [400, "page 0", async () => account, () => `${own()}&page=0`],
  ])("%i: %s", async (status, _why, token, query) => {
    const answer = await ledger(await token(), query())
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  const own = () => `?program_id=${program.program_id}`
})

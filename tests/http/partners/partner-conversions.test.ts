import { beforeAll, describe, expect, test } from "bun:test"
import { refund, sell, settle } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newPartnerAccount } from "../../support/partner-account"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

type Conversion = Record<string, any>

let program: TestProgram
let account: string
beforeAll(async () => {
  program = await newProgram()
  account = await newPartnerAccount(program)
})

const list = (token: string, query = "", id = program.program_id) =>
  send("GET", `/api/partner/programs/${id}/conversions${query}`, { token })

async function newAccount() {
  const partner = await newPartner(program)
  return { ...partner, token: await newPartnerAccount({ ...program, ...partner }) }
}

/** A sale after its attribution window. */
async function sellLate(code: string) {
  const click_id = await newClick({ code })
  await sql`
    update tracking.customers
    set attributed_at = attributed_at - interval '61 days'
    where click_id = ${click_id}
  `
  const sale = { transaction_id: `late-${click_id}`, amount_cents: 4_999, click_id }
  const { body } = await send("POST", "/api/v1/track/sale", {
    token: program.api_token,
    body: sale,
  })
  return body as { sale_id: number; commission_id: null }
}

describe("GET /api/partner/programs/:programId/conversions", () => {
  test("lists each sale with its state, amount and one sentence, newest first", async () => {
    const { code, token } = await newAccount()
    const pending = await sell(program, code)
    const paid = await sell(program, code)
    await settle(program, paid.commission_id, "approve")
    await settle(program, paid.commission_id, "mark-paid")
    const rejected = await sell(program, code)
    await settle(program, rejected.commission_id, "reject", { reason: "Own purchase." })
    const partly = await sell(program, code)
    const part = { transaction_id: partly.transaction_id, refund_amount_cents: 1_000 }
    await refund(program, part)
    const late = await sellLate(code)

    const { status, body } = await list(token)
    const of = ({ sale_id }: { sale_id: number }) =>
      body.data.find(({ id }: Conversion) => id === sale_id)
    expect(status).toBe(200)
    expect(body.data.map(({ id }: Conversion) => id)).toEqual(
      [late, partly, rejected, paid, pending].map(({ sale_id }) => sale_id),
    )
    expect(of(pending)).toEqual({
      id: pending.sale_id,
      at: expect.any(String),
      kind: "sale",
      status: "pending",
      amount_cents: 1_500,
      net_cents: 1_500,
      currency: "USD",
      hold_ends_at: expect.any(String),
      customer: expect.stringMatching(/^Customer [0-9A-HJKMNP-TV-Z]{6}$/),
      code,
      sub_id: null,
      transaction_id: null,
      sentence: expect.stringMatching(/^Earned 15\.00 USD: on hold until /),
    })
    expect(of(paid)).toMatchObject({ status: "paid", net_cents: 1_500 })
    expect(of(rejected)).toMatchObject({
      status: "rejected",
      net_cents: 0,
      sentence: "Not paid: the advertiser rejected it. Reason: Own purchase.",
    })
    expect(of(partly)).toMatchObject({ status: "refunded", amount_cents: 1_500, net_cents: 1_200 })
    expect(of(late)).toMatchObject({
      status: "none",
      amount_cents: 0,
      hold_ends_at: null,
      sentence: "No commission: the attribution window of 60 days had ended.",
    })
    for (const { id, sentence } of body.data) {
      const path = `/api/partner/decisions?program_id=${program.program_id}&sale_id=${id}`
      expect((await send("GET", path, { token })).body.data.sentence).toBe(sentence)
    }

    const statuses = ["pending", "paid", "rejected", "refunded", "none", "approved"]
    const each = await Promise.all(statuses.map(status => list(token, `?status=${status}`)))
    expect(each.map(({ body }) => body.data.map(({ id }: Conversion) => id))).toEqual([
      [pending.sale_id],
      [paid.sale_id],
      [rejected.sale_id],
      [partly.sale_id],
      [late.sale_id],
      [],
    ])
    const page = await list(token, "?page=2&pageSize=2")
    expect(page.body).toEqual({
      data: body.data.slice(2, 4),
      meta: { pagination: { page: 2, pageSize: 2, pageCount: 3, total: 5 } },
    })
  })

  test("narrows by the time of the sale, bounds included", async () => {
    const { code, token } = await newAccount()
    const sale = await sell(program, code)
    const { at } = (await list(token)).body.data[0]
    const day = at.slice(0, 10)
    const earlier = new Date(Date.parse(at) - 1).toISOString()
    for (const [query, total] of [
      [`?dateFrom=${day}&dateTo=${day}`, 1],
      [`?dateFrom=${at}&dateTo=${at}`, 1],
      [`?dateTo=${earlier}`, 0],
      [`?status=pending&dateFrom=${at}`, 1],
      [`?status=pending&dateTo=${earlier}`, 0],
      ["?dateFrom=2090-01-01", 0],
    ] as const) {
      const { data } = (await list(token, query)).body
      expect([query, data.length]).toEqual([query, total])
    }
    expect(sale.sale_id).toBeGreaterThan(0)
  })

  test("calls a customer by the same alias for one partner, and by another for the next", async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const click_id = await newClick(one)
    const body = { amount_cents: 500, click_id, customer_key: `alias-${click_id}` }
    const buy = (transaction_id: string) =>
      send("POST", "/api/v1/track/sale", {
        token: program.api_token,
        body: { ...body, transaction_id },
      })
    await buy(`${click_id}-1`)
    await buy(`${click_id}-2`)
    const aliases = (await list(one.token)).body.data.map(({ customer }: Conversion) => customer)
    expect(new Set(aliases).size).toBe(1)

    await sql`
      update tracking.affiliate_sale_events
      set partner_id = ${other.partner_id}, link_id = ${other.link_id}
      where transaction_id = ${`${click_id}-2`}
    `
    await sql`
      update commissions.commissions
      set partner_id = ${other.partner_id}
      where transaction_id = ${`${click_id}-2`}
    `
    const [moved] = (await list(other.token)).body.data
    expect(moved.customer).toMatch(/^Customer /)
    expect(moved.customer).not.toBe(aliases[0])
  })

  test("shows neither customers nor revenue, nor the transaction_id", async () => {
    const { code, token } = await newAccount()
    const { transaction_id } = await sell(program, code, { customer_key: "secret-key" })
    const text = JSON.stringify((await list(token)).body)
    expect(text).not.toMatch(/secret-key|4999|49\.99|clk_|email/)
    expect(text).not.toContain(transaction_id)
  })

  test("shows the transaction_id where the program shares it", async () => {
    const sharing = await newProgram({ share_sale_amount: true })
    const token = await newPartnerAccount(sharing)
    const { transaction_id } = await sell(sharing, sharing.code)
    const shown = await list(token, "", sharing.program_id)
    expect(shown.body.data).toMatchObject([{ transaction_id }])
  })

  test("is the same for a member who looks on, and empty for other partners", async () => {
    const { code, token, partner_id } = await newAccount()
    await sell(program, code)
    const seen = await list(program.session, `?as_partner=${partner_id}`)
    expect(seen.body).toEqual((await list(token)).body)
    expect((await list(account)).body.data).toEqual([])
  })

  refusesBadCredentials(
    "GET",
    ({ program_id }) => `/api/partner/programs/${program_id}/conversions`,
  )

  test.each<[number, string, () => Promise<string>, string, number]>([
    [401, "a key", async () => (await newKey(program)).key, "", 0],
    [403, "no partner", async () => program.session, "", 0],
    [404, "a program not joined", async () => account, "", 1_000_000],
    [400, "an unknown status", async () => account, "?status=lost", 0],
    [400, "an impossible date", async () => account, "?dateFrom=2026-02-30", 0],
    [
      400,
      "an end before the start",
      async () => account,
      "?dateFrom=2026-02-02&dateTo=2026-02-01",
      0,
    ],
  ])("%i: %s", async (status, _why, token, query, offset) => {
    const answer = await list(await token(), query, program.program_id + offset)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })
})

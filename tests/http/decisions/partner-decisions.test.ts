import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, sell, settle } from "../../support/books"
import { newPartnerAccount } from "../../support/partner-account"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let partner: string
let rival: Awaited<ReturnType<typeof newPartner>>
beforeAll(async () => {
  program = await newProgram()
  partner = await newPartnerAccount(program)
  rival = await newPartner(program, { name: "Rival Ltd" })
})

const ask = (query: string, token = partner) =>
  send("GET", `/api/partner/decisions?program_id=${program.program_id}&${query}`, { token })
const asAdvertiser = async (query: string) =>
  (await send("GET", `${program.path}/decisions?${query}`, { token: program.session })).body.data

/** A sale of the partner, contested by the rival, at 54.40. */
async function contested(customer_key: string) {
  const click_id = await newClick(rival)
  await newClick(program, { existing_click_id: click_id })
  return sell(program, program.code, { click_id, customer_key, amount_cents: 5_440 })
}

type Step = { rule: string; result: string; sentence: string }
const sharedBy = ({ sentence, outcome, next, amounts, steps }: any) => ({
  sentence,
  outcome,
  next,
  amounts,
  steps: steps.map(({ rule, result, sentence }: Step) => [rule, result, sentence]),
})

describe("a partner's decision", () => {
  test.each<[string, (sale: Awaited<ReturnType<typeof contested>>) => unknown]>([
    ["pending", () => {}],
    [
      "rejected",
      sale => settle(program, sale.commission_id, "reject", { reason: "Own purchase." }),
    ],
    [
      "refunded",
      ({ transaction_id }) =>
        refund(program, { transaction_id, refund_amount_cents: 1_000, refund_reason: "Too small" }),
    ],
  ])("is the advertiser's, sentence by sentence, when it is %s", async (name, change) => {
    const sale = await contested(`shared-${name}`)
    await change(sale)
    const { status, body } = await ask(`sale_id=${sale.sale_id}`)
    expect(status).toBe(200)
    const shown = await asAdvertiser(`sale_id=${sale.sale_id}`)
    expect(sharedBy(body.data)).toEqual(sharedBy(shown))
  })

  test("names no other partner, no customer, no revenue and no transaction (F8)", async () => {
    const sale = await contested("secret-customer")
    await refund(program, { transaction_id: sale.transaction_id, refund_amount_cents: 1_000 })
    for (const query of [
      `sale_id=${sale.sale_id}`,
      `commission_id=${sale.commission_id}`,
      `transaction_id=${sale.transaction_id}`,
    ]) {
      const { body } = await ask(query)
      const text = JSON.stringify(body)
      for (const hidden of [
        "secret-customer",
        sale.transaction_id,
        rival.code,
        "Rival",
        "54.4",
        "5440",
      ]) {
        expect(text, hidden).not.toContain(hidden)
      }
      const { facts } = body.data.steps.find(({ rule }: Step) => rule === "candidates")
      expect(facts.clicks).toEqual([expect.objectContaining({ result: "won", code: program.code })])
      expect(facts.other_clicks).toBe(1)
      expect(JSON.stringify(facts)).not.toContain(`"partner_id":${rival.partner_id}`)
    }
  })

  test("is shown to members who look at the program as this partner", async () => {
    const sale = await contested("as-partner")
    const query = `sale_id=${sale.sale_id}&as_partner=${program.partner_id}`
    const { status, body } = await ask(query, program.session)
    expect(status).toBe(200)
    expect(body).toEqual((await ask(`sale_id=${sale.sale_id}`)).body)
  })

  test("of a foreign sale is the same 404 as of an unknown one (F8)", async () => {
    const foreign = await newSale(program) // of another partner
    const elsewhere = await newSale(await newProgram())
    const replies = await Promise.all(
      [
        "sale_id=99999999999999",
        "commission_id=99999999999999",
        "transaction_id=nothing",
        ...[foreign, elsewhere].flatMap(({ sale_id, commission_id, transaction_id }) => [
          `sale_id=${sale_id}`,
          `commission_id=${commission_id}`,
          `transaction_id=${transaction_id}`,
        ]),
      ].map(query => ask(query)),
    )
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([404, { error: "You have no such sale in this program." }])
    }
  })

  test.each([
    [400, "no subject", ""],
    [400, "two subjects", "sale_id=1&commission_id=1"],
    [400, "a click alone", "click_event_id=1"],
    [400, "a customer alone", "customer_key=ada"],
  ])("%i: %s", async (status, _why, query) => {
    expect(await ask(query)).toMatchObject({ status, body: { error: expect.any(String) } })
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, sell } from "../../support/books"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const get = (customer_key: string, query = "pageSize=100", of = program) =>
  send("GET", `${of.path}/customers/${encodeURIComponent(customer_key)}/journey?${query}`, {
    token: of.session,
  })
type Step = { kind: string; sentence: string }

describe("the journey of a customer", () => {
  test("has clicks that won and lost, lead, sales, commissions and refunds, oldest first", async () => {
    const rival = await newPartner(program)
    const customer_key = "a customer/with ünusual key"
    const click_id = await newClick(rival)
    await newClick(program, { existing_click_id: click_id })
    await send("POST", "/api/v1/track/lead", {
      token: program.api_token,
      body: { click_id, customer_key },
    })
    const sale = await sell(program, program.code, { click_id, customer_key, amount_cents: 5_440 })
    await refund(program, { transaction_id: sale.transaction_id, refund_amount_cents: 1_000 })
    await newClick(rival, { existing_click_id: click_id })

    const { status, body } = await get(customer_key)
    expect(status).toBe(200)
    const sentences = body.data.map(({ kind, sentence }: Step) => `${kind}: ${sentence}`)
    expect(sentences).toEqual([
      `click: Click on the link ${rival.code}. It lost: a later click won.`,
      `click: Click on the link ${program.code}. It won.`,
      "lead: Signed up.",
      `sale: Bought for 54.40 USD (sale ${sale.transaction_id}).`,
      expect.stringMatching(/^commission: Earned 13\.32 USD after a partial refund: on hold/),
      "refund: A refund took 3.00 USD off the commission.",
      expect.stringContaining("It lost: the customer had bought before"),
    ])
    const { sale_id, commission_id } = sale
    expect(body.data[3]).toMatchObject({ sale_id })
    expect(body.data[5]).toMatchObject({ sale_id, commission_id, refund_id: expect.any(Number) })
    const times = body.data.map(({ at }: { at: string }) => at)
    expect(times).toEqual(times.toSorted())
  })

  test("comes in pages", async () => {
    const customer_key = `paged-${program.program_id}`
    await newSale(program, { customer_key })
    const all = (await get(customer_key)).body
    expect(all.meta.pagination.total).toBe(3)
    const second = await get(customer_key, "page=2&pageSize=2")
    expect(second.body.data).toEqual(all.data.slice(2))
  })

  test("names no visitor", async () => {
    const customer_key = `visitor-${program.program_id}`
    await newSale(program, { customer_key })
    const text = JSON.stringify((await get(customer_key)).body)
    expect(text).not.toMatch(/page_url|referrer|user_agent|geo_|device/)
  })

  test("of an unknown, erased or another program's customer is 404", async () => {
    const other = await newProgram()
    await newSale(other, { customer_key: "foreign" })
    await newSale(program, { customer_key: "erased" })
    await send("DELETE", `${program.path}/customers/erased`, { token: program.session })
    for (const key of ["unknown", "foreign", "erased"]) {
      expect(await get(key), key).toMatchObject({
        status: 404,
        body: { error: expect.any(String) },
      })
    }
  })
})

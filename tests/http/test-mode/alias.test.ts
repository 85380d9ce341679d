import { beforeAll, describe, expect, test } from "bun:test"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const V1 = "/api/v1/track"
const ALIAS = "/api/tracking"
const post = (path: string, body: unknown, token?: string) => send("POST", path, { token, body })

describe("the paths of earlier scripts (behaviour 1.16)", () => {
  test("accept a click, its lead, its sale and its refund", async () => {
    const affiliate_url = `https://shop.example/?aff=${program.code}`
    const click = await post(`${ALIAS}/click`, { affiliate_url })
    expect(click).toMatchObject({
      status: 200,
      body: { success: true, partner_code: program.code },
    })

    const { click_id } = click.body
    const lead = await post(`${ALIAS}/lead`, { click_id, customer_key: "ada" }, program.api_token)
    expect(lead).toMatchObject({ status: 200, body: { success: true } })

    const transaction_id = `alias of ${click_id}`
    const sold = { transaction_id, amount_cents: 10_000, customer_key: "ada" }
    const sale = await post(`${ALIAS}/sale`, sold, program.api_token)
    expect(sale).toMatchObject({ status: 200, body: { commission_id: expect.any(Number) } })
    expect((await post(`${V1}/sale`, sold, program.api_token)).status).toBe(409)
    expect((await post(`${ALIAS}/sale`, sold, program.api_token)).body).toMatchObject({
      error: "Conflict",
      statusCode: 409,
    })

    const refund = await post(`${ALIAS}/refund`, { transaction_id }, program.api_token)
    expect(refund).toMatchObject({
      status: 200,
      body: { status: "reversed", deductionAmount: 30, commission_id: sale.body.commission_id },
    })
    const again = await post(`${V1}/refund`, { transaction_id }, program.api_token)
    expect(again.body.status).toBe("skipped")
  })

  test.each<[string, unknown, string]>([
    ["click", {}, ""],
    ["click", { affiliate_url: "https://shop.example/?aff=no-such-code" }, ""],
    ["lead", {}, ""],
    ["lead", { click_id: "clk_unknown" }, ""],
    ["lead", { click_id: "clk_unknown" }, "junk"],
    ["sale", {}, ""],
    ["sale", {}, "aff_junk"],
    ["refund", {}, ""],
    ["refund", 7, "affs_junk"],
  ])("refuse a %s like the current paths: %p", async (what, body, token) => {
    const [other, same] = [
      await post(`${ALIAS}/${what}`, body, token),
      await post(`${V1}/${what}`, body, token),
    ]
    expect({ status: other.status, body: other.body }).toEqual({
      status: same.status,
      body: same.body,
    })
    expect(other.body).toEqual({ error: expect.any(String) })
  })

  test("reply alike in test mode", async () => {
    const body = { additional_data: { test_mode: true, program_id: program.program_id } }
    const [other, same] = [await post(`${ALIAS}/lead`, body), await post(`${V1}/lead`, body)]
    expect(other.body).toEqual({
      ...same.body,
      data: { ...same.body.data, eventId: expect.any(Number) },
    })
  })

  test.each(["clicks", "Click", "click/1", "track/click", ""])("404: %p", async path => {
    expect((await post(`${ALIAS}/${path}`, {})).status).toBe(404)
  })

  test.each(["click", "lead", "sale", "refund"])("405: GET %s", async path => {
    const { status, headers } = await send("GET", `${ALIAS}/${path}`)
    expect(status).toBe(405)
    expect(headers.get("allow")).toContain("POST")
  })

  test("count clicks in the same totals", async () => {
    const one = await newProgram()
    await newClick(one)
    await post(`${ALIAS}/click`, { affiliate_url: `https://shop.example/?aff=${one.code}` })
    const [link] = await sql`select clicks from tracking.counted_links where id = ${one.link_id}`
    expect(link).toEqual({ clicks: 2 })
  })
})

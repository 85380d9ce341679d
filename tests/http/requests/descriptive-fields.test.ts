import { beforeAll, describe, expect, test } from "bun:test"
import { click, storedClick, urlOf } from "../../support/clicks"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const post = (what: string, body: object, token?: string) =>
  send("POST", `/api/v1/track/${what}`, { token, body })
const newTransaction = () => ({ transaction_id: crypto.randomUUID(), amount_cents: 4_999 })

const WRONG_TYPES: [string, unknown][] = [
  ["a number", 5],
  ["true", true],
  ["a list", ["x"]],
  ["an object", { x: 1 }],
]

async function storedLead(click_id: string) {
  const [lead] = await sql`
    select *
    from tracking.affiliate_lead_events
    where click_id = ${click_id}
  `
  return lead!
}

describe.each(WRONG_TYPES)("a field that only describes an event and is %s", (_what, value) => {
  test("costs no click", async () => {
    const { status, body } = await click(
      program.code,
      {
        page_url: value,
        page_title: value,
        referrer_url: value,
        session_id: value,
        user_agent: value,
        screen_resolution: value,
        viewport_size: value,
        language: value,
        timezone: value,
        existing_click_id: value,
        additional_data: { program_id: Array.isArray(value) ? value : { value } },
      },
      { "user-agent": "of the header" },
    )
    expect(status).toBe(200)
    expect(await storedClick(body.click_id)).toMatchObject({
      page_url: null,
      page_title: null,
      referrer_url: null,
      session_id: null,
      user_agent: "of the header",
      screen_resolution: null,
      viewport_size: null,
      language: null,
      timezone: null,
      existing_click_id: null,
      stated_program_id: null,
    })
  })

  test("costs no lead", async () => {
    const click_id = await newClick(program)
    const additional_data = { event_name: value, program_id: "mine" }
    expect((await post("lead", { click_id, email: value, additional_data })).status).toBe(200)
    expect(await storedLead(click_id)).toMatchObject({
      email_masked: null,
      event_name: null,
      stated_program_id: null,
    })
  })

  test("costs no refund", async () => {
    const sale = { ...newTransaction(), click_id: await newClick(program) }
    await post("sale", sale, program.api_token)
    const { transaction_id } = sale
    const body = { transaction_id, refund_reason: value, additional_data: [value] }
    expect(await post("refund", body, program.api_token)).toMatchObject({
      status: 200,
      body: { status: "reversed" },
    })
  })
})

describe.each<[string, unknown]>([
  ["a string", "x"],
  ["a number", 5],
  ["a list", [{ test_mode: true }]],
])("additional_data that is %s", (_what, additional_data) => {
  test("counts as absent", async () => {
    const clicked = await click(program.code, { additional_data })
    expect(clicked.status).toBe(200)
    const { click_id } = clicked.body
    expect((await post("lead", { click_id, additional_data })).status).toBe(200)
    const sale = { ...newTransaction(), click_id, additional_data }
    expect((await post("sale", sale, program.api_token)).body.commission_id).toBeNumber()
  })
})

describe("an e-mail address", () => {
  test.each([
    "no-at",
    "a b@c.example",
    "two@at@s.example",
    "",
    " ",
    `${"x".repeat(320)}@x.example`,
  ])("that is malformed costs no lead: %p", async email => {
    const click_id = await newClick(program)
    expect((await post("lead", { click_id, email })).status).toBe(200)
    expect(await storedLead(click_id)).toMatchObject({ email_hash: null, email_masked: null })
  })

  test("is trimmed", async () => {
    const [one, other] = [await newClick(program), await newClick(program)]
    await post("lead", { click_id: one, email: "ada@shop.example" })
    await post("lead", { click_id: other, email: " \tada@shop.example\n" })
    const { email_hash } = await storedLead(one)
    expect(email_hash).toBeString()
    expect(await storedLead(other)).toMatchObject({ email_hash })
  })
})

describe("an id", () => {
  test("that is empty counts as absent", async () => {
    const { status, body } = await click(program.code, { existing_click_id: "" })
    expect(status).toBe(200)
    const { click_id } = body
    expect((await post("lead", { click_id, customer_key: "" })).status).toBe(200)

    const byClick = { ...newTransaction(), customer_key: "", click_id }
    expect((await post("sale", byClick, program.api_token)).status).toBe(200)
    const byKey = { click_id, customer_key: `key of ${click_id}` }
    await post("sale", { ...newTransaction(), ...byKey }, program.api_token)
    const emptyClick = { ...newTransaction(), ...byKey, click_id: "" }
    expect((await post("sale", emptyClick, program.api_token)).status).toBe(200)
    expect((await post("lead", { click_id: "", customer_key: "" })).status).toBe(400)
  })

  test("of an earlier click that is too long counts as absent", async () => {
    const { status, body } = await click(program.code, { existing_click_id: "x".repeat(256) })
    expect(status).toBe(200)
    expect(await storedClick(body.click_id)).toMatchObject({ existing_click_id: null })
  })
})

describe("a text that is too long is cut", () => {
  test("an event_name at 255 characters", async () => {
    const click_id = await newClick(program)
    const additional_data = { event_name: "😀".repeat(256) }
    expect((await post("lead", { click_id, additional_data })).status).toBe(200)
    expect(await storedLead(click_id)).toMatchObject({ event_name: "😀".repeat(255) })
  })

  test("a refund_reason at 1,024 characters", async () => {
    const sale = { ...newTransaction(), click_id: await newClick(program) }
    await post("sale", sale, program.api_token)
    const refund = { transaction_id: sale.transaction_id, refund_reason: "r".repeat(3_000) }
    expect((await post("refund", refund, program.api_token)).status).toBe(200)
    const [commission] = await sql`
      select refund_reason
      from commissions.commissions
      where transaction_id = ${sale.transaction_id}
    `
    expect(commission).toEqual({ refund_reason: "r".repeat(1_024) })
  })
})

describe("line_items", () => {
  const sell = async (line_items: unknown) => {
    const sale = { ...newTransaction(), click_id: await newClick(program), line_items }
    return post("sale", sale, program.api_token)
  }
  const shown = async (sale_id: number) => {
    const { body } = await send("GET", `${program.path}/sales/${sale_id}`, {
      token: program.session,
    })
    return body.data.line_items
  }

  test.each<[string, unknown]>([
    ["a list of objects", [{ sku: "A", count: 2 }, { sku: "B" }]],
    ["an empty list", []],
    ["an object of 16 KiB", { note: "x".repeat(16 * 1024 - `{"note":""}`.length) }],
  ])("may be %s", async (_what, line_items) => {
    const { status, body } = await sell(line_items)
    expect(status).toBe(200)
    expect(await shown(body.sale_id)).toEqual(line_items as never)
  })

  test("of a test sale may be a list of objects", async () => {
    const body = { line_items: [{ sku: "A" }], additional_data: { test_mode: true } }
    expect((await post("sale", body, program.api_token)).status).toBe(200)
  })

  test("of one byte more than 16 KiB are refused", async () => {
    const line_items = { note: `é${"x".repeat(16 * 1024 - `{"note":"x"}`.length)}` }
    expect(await sell(line_items)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("line_items") },
    })
  })
})

describe("what a click without a credential may store is 6 KiB", () => {
  const storedBytes = async (click_id: string) => {
    const event = await storedClick(click_id)
    return Object.entries(event)
      .filter(([name]) => !["click_id", "final_xact"].includes(name))
      .reduce(
        (sum, [, value]) => sum + (typeof value === "string" ? Buffer.byteLength(value) : 0),
        0,
      )
  }

  test.each<[string, string]>([
    ["ASCII", "x"],
    ["three bytes each", "界"],
    ["four bytes each", "😀"],
  ])("of characters of %s; the click counts all the same", async (_what, character) => {
    const long = (characters: number) => character.repeat(characters)
    const { status, body } = await click(program.code, {
      affiliate_url: `${urlOf(program.code)}&sub_id=autumn&x=${long(4_000)}`,
      page_url: `https://shop.example/${long(3_000)}`,
      page_title: long(2_000),
      referrer_url: `https://blog.example/${long(3_000)}`,
      session_id: long(300),
      user_agent: `Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0 ${long(2_000)}`,
      existing_click_id: long(120),
      language: "en-GB",
    })
    expect(status).toBe(200)
    expect(await storedBytes(body.click_id)).toBeLessThanOrEqual(6 * 1024)
    expect(await storedBytes(body.click_id)).toBeGreaterThan(6 * 1024 - 8)
    expect(await storedClick(body.click_id)).toMatchObject({
      link_id: program.link_id,
      sub_id: "autumn",
      referrer_host: "blog.example",
      browser_name: "Firefox",
      language: "en-GB",
      session_id: long(255),
      existing_click_id: long(120),
    })
  })

  test("cuts the longest text first, and leaves a click of 6 KiB as it is", async () => {
    const affiliate_url = urlOf(program.code).padEnd(100, "#")
    const fits = {
      affiliate_url,
      page_url: "p".repeat(2_048),
      referrer_url: "r".repeat(2_048),
      page_title: "t".repeat(1_024),
      user_agent: "u".repeat(800),
    }
    const kept = (await click(program.code, fits)).body.click_id
    expect(await storedClick(kept)).toMatchObject(fits)

    const longer = { ...fits, affiliate_url: affiliate_url.padEnd(8_192, "x") }
    const { click_id } = (await click(program.code, longer)).body
    const { affiliate_url: stored, ...others } = await storedClick(click_id)
    expect(stored.length).toBeLessThan(3_000)
    expect(others).toMatchObject({ page_title: fits.page_title, user_agent: fits.user_agent })
  })
})

describe("a refusal that stays names the field", () => {
  test.each<[string, string, object]>([
    ["affiliate_url", "click", { affiliate_url: 5 }],
    ["test_mode", "click", { additional_data: { test_mode: "true" } }],
    ["program_id", "click", { additional_data: { test_mode: true, program_id: "mine" } }],
    ["page_title", "click", { page_title: "a\0b" }],
    ["additional_data", "lead", { additional_data: { note: ["\ud800"] } }],
    ["click_id", "lead", { click_id: 5 }],
    ["customer_key", "lead", { customer_key: "k".repeat(256) }],
    ["transaction_id", "sale", { transaction_id: 5 }],
    ["line_items", "sale", { line_items: [5] }],
    ["product_id", "sale", { product_id: "" }],
    ["refund_id", "refund", { refund_id: 5 }],
  ])("%s", async (name, what, fields) => {
    const body = { affiliate_url: urlOf(program.code), ...newTransaction(), ...fields }
    const reply = await post(what, body, what === "click" ? undefined : program.api_token)
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining(name) } })
  })
})

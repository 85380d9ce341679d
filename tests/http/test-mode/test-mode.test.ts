import { beforeAll, describe, expect, test } from "bun:test"
import { mintToken } from "../../../lib/token"
import { countClicks, urlOf } from "../../support/clicks"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
let archived: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
  archived = await newProgram()
  await send("DELETE", archived.path, { token: archived.session })
})

const TABLES = {
  click: "affiliate_click_events",
  lead: "affiliate_lead_events",
  sale: "affiliate_sale_events",
}
type Kind = keyof typeof TABLES

/** Sends an event in test mode with these fields and this additional data. */
const sendTest = (what: string, fields: object, more: object, token = "") =>
  send("POST", `/api/v1/track/${what}`, {
    token,
    body: { ...fields, additional_data: { test_mode: true, ...more } },
  })
const ownProgram = () => ({ program_id: program.program_id })

async function storedEvent(what: Kind, id: number) {
  const [event] = await sql`select * from ${sql(`tracking.${TABLES[what]}`)} where id = ${id}`
  return event!
}

/** Everything that test mode must not change. */
async function realDataOf(program_id: number) {
  const [realData] = await sql`
    select
      (select jsonb_agg(customer order by id) from tracking.customers as customer
        where program_id = ${program_id}) as customers,
      (select jsonb_agg(link order by id) from tracking.counted_links as link
        where program_id = ${program_id}) as links,
      (select count(*) from tracking.affiliate_lead_events
        where program_id = ${program_id} and final_xact is not null) as leads,
      (select count(*) from tracking.affiliate_sale_events
        where program_id = ${program_id} and final_xact is not null) as sales,
      (select count(*) from commissions.commissions
        where program_id = ${program_id}) as commissions
  `
  return { ...realData, ...(await countClicks(program_id)) }
}

describe.each<[Kind, object, () => string]>([
  ["click", { page_url: "https://shop.example/x", existing_click_id: "clk_x" }, () => ""],
  ["lead", { customer_key: "ada", click_id: "clk_x" }, () => ""],
  ["sale", { transaction_id: "t", amount_cents: 5, currency: "chf" }, () => program.api_token],
])("a %s in test mode", (what, fields, tokenOf) => {
  test("is stored as a test; the reply has its id and program", async () => {
    const { status, body } = await sendTest(what, fields, ownProgram(), tokenOf())
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: { eventId: expect.any(Number), programId: program.program_id, test_mode: true },
    })
    const event = await storedEvent(what, body.data.eventId)
    expect(event).toMatchObject({ program_id: program.program_id, is_test: true, final_xact: null })
    const kept = "currency" in fields ? { ...fields, currency: "CHF" } : fields
    expect(event).toMatchObject(kept)
  })

  test("needs no fields but its program", async () => {
    expect((await sendTest(what, {}, ownProgram(), tokenOf())).status).toBe(200)
  })

  test("may be sent twice", async () => {
    const ids = [
      (await sendTest(what, fields, ownProgram(), tokenOf())).body.data.eventId,
      (await sendTest(what, fields, ownProgram(), tokenOf())).body.data.eventId,
    ]
    expect(ids[0]).not.toBe(ids[1])
  })

  test("belongs to the token's program, whatever program_id is sent", async () => {
    const { body } = await sendTest(
      what,
      fields,
      { program_id: other.program_id },
      program.api_token,
    )
    expect(body.data.programId).toBe(program.program_id)
  })

  test.each<[string, unknown]>([
    ["a string", "true"],
    ["a number", 1],
    ["a list", []],
    ["an object", {}],
  ])("400: test_mode is %s", async (_what, test_mode) => {
    const body = { ...fields, additional_data: { ...ownProgram(), test_mode } }
    const answer = await send("POST", `/api/v1/track/${what}`, { token: tokenOf(), body })
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })

  test("400: a field is malformed", async () => {
    const malformed = { affiliate_url: 5, customer_key: 5 }
    expect((await sendTest(what, malformed, ownProgram(), tokenOf())).status).toBe(400)
  })

  test("false and null mean a real event", async () => {
    for (const test_mode of [false, null]) {
      const body = { additional_data: { ...ownProgram(), test_mode } }
      const answer = await send("POST", `/api/v1/track/${what}`, { token: tokenOf(), body })
      expect(answer.status).toBe(400) // a real event lacks its fields
    }
  })
})

describe.each<Kind>(["click", "lead"])("the program of a test %s", what => {
  test("may be named by a string of digits", async () => {
    const { body } = await sendTest(what, {}, { program_id: `${program.program_id}` })
    expect(body.data.programId).toBe(program.program_id)
  })

  test.each<[string, () => string]>([
    ["junk", () => "junk"],
    ["a mistyped one", () => `${program.api_token}x`],
    ["unknown", () => mintToken("aff_")],
    ["a session's", () => program.session],
  ])("is the one in program_id when the token is %s", async (_what, token) => {
    const { status, body } = await sendTest(what, {}, ownProgram(), token())
    expect({ status, programId: body.data?.programId }).toEqual({
      status: 200,
      programId: program.program_id,
    })
  })

  test.each<[string, () => object]>([
    ["is not named", () => ({})],
    ["is null", () => ({ program_id: null })],
    ["does not exist", () => ({ program_id: 9_007_199_254_740_991 })],
    ["is too large", () => ({ program_id: 1e300 })],
    ["is a fraction", () => ({ program_id: program.program_id + 0.5 })],
    ["is zero", () => ({ program_id: 0 })],
    ["is negative", () => ({ program_id: -program.program_id })],
    ["is a word", () => ({ program_id: "mine" })],
    ["is an empty string", () => ({ program_id: "" })],
    ["is a list", () => ({ program_id: [program.program_id] })],
    ["is true", () => ({ program_id: true })],
    ["is archived", () => ({ program_id: archived.program_id })],
  ])("400: it %s", async (_why, more) => {
    expect(await sendTest(what, {}, more())).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
  })
})

describe("a test without a program says what is wrong with what was sent", () => {
  test.each<[string, Kind, object, object, RegExp]>([
    [
      "an unknown program_id",
      "click",
      {},
      { program_id: 2 ** 40 },
      /^additional_data.program_id is not/,
    ],
    [
      "an unknown program_id",
      "lead",
      {},
      { program_id: 2 ** 40 },
      /^additional_data.program_id is not/,
    ],
    ["an unknown link", "click", { affiliate_url: urlOf("no-such-code") }, {}, /aff parameter/],
    ["nothing", "click", {}, {}, /needs additional_data.program_id/],
    ["nothing", "lead", {}, {}, /needs additional_data.program_id/],
  ])("%s in a %s", async (_what, kind, fields, additional, sentence) => {
    const { status, body } = await sendTest(kind, fields, additional)
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringMatching(sentence) },
    })
  })
})

describe("a test click", () => {
  test("finds its program by its link", async () => {
    const { body } = await sendTest("click", { affiliate_url: urlOf(program.code) }, {})
    expect(body.data.programId).toBe(program.program_id)
  })

  test.each(["no-such-code", "a%00b", ""])("400: no program, and the code is %p", async code => {
    expect((await sendTest("click", { affiliate_url: urlOf(code) }, {})).status).toBe(400)
  })

  test("is stored with the visitor's device", async () => {
    const sent = { user_agent: "curl/8.5.0", language: "de", viewport_size: "x" }
    const { body } = await sendTest("click", sent, ownProgram())
    expect(await storedEvent("click", body.data.eventId)).toMatchObject({
      user_agent: "curl/8.5.0",
      device_type: "bot",
      language: "de",
      viewport_size: null,
      click_id: null,
      customer_id: null,
    })
  })
})

describe("a test lead", () => {
  test("keeps its event_name, and no plain e-mail address", async () => {
    const sent = { email: "Ada@example.com" }
    const { body } = await sendTest("lead", sent, { ...ownProgram(), event_name: "signup" })
    const event = await storedEvent("lead", body.data.eventId)
    expect(event).toMatchObject({ event_name: "signup", email_hash: expect.any(String) })
    expect(JSON.stringify(event).toLowerCase()).not.toContain("ada@example.com")
  })
})

describe("a test sale", () => {
  test.each<[number, string, () => string, object]>([
    [401, "no token", () => "", {}],
    [401, "junk", () => "junk", {}],
    [401, "an unknown token", () => mintToken("aff_"), {}],
    [401, "an archived program's token", () => archived.api_token, {}],
    [400, "an amount of zero", () => program.api_token, { amount_cents: 0 }],
    [400, "an unknown currency", () => program.api_token, { currency: "ZZZ" }],
  ])("%i: %s", async (status, _why, token, fields) => {
    expect((await sendTest("sale", fields, ownProgram(), token())).status).toBe(status)
  })

  test("keeps all its fields", async () => {
    const fields = {
      transaction_id: "test t1",
      amount_cents: 4_999,
      currency: "EUR",
      sale_type: "subscription",
      is_recurring: true,
      subscription_id: "sub",
      subscription_interval: "annual",
      product_id: "p",
      line_items: { a: [1, { b: null }] },
      customer_key: "ada",
      click_id: "clk_x",
    }
    const { body } = await sendTest("sale", fields, {}, program.api_token)
    expect(await storedEvent("sale", body.data.eventId)).toMatchObject(fields)
  })
})

describe("a test refund", () => {
  const refund = (fields: object, token = program.api_token) =>
    sendTest("refund", fields, {}, token)

  test("names the test sale, if there is one", async () => {
    const transaction_id = `test ${program.code}`
    const data = { eventId: null, programId: program.program_id, test_mode: true }
    const unknown = await refund({ transaction_id })
    expect(unknown).toMatchObject({ status: 200, body: { success: true, data } })

    const sale = await sendTest("sale", { transaction_id, amount_cents: 5 }, {}, program.api_token)
    const known = await refund({ transaction_id, refund_amount_cents: 99 })
    expect(known.body.data).toEqual({ ...data, eventId: sale.body.data.eventId })
    const elsewhere = await refund({ transaction_id }, other.api_token)
    expect(elsewhere.body.data).toEqual({ ...data, programId: other.program_id })
    expect((await refund({})).body.data).toEqual(data)
  })

  test.each<[number, string, object, string]>([
    [401, "no token", {}, ""],
    [401, "junk", {}, "junk"],
    [400, "a transaction_id that is a number", { transaction_id: 5 }, "its own"],
    [400, "a negative amount", { refund_amount_cents: -1 }, "its own"],
  ])("%i: %s", async (status, _why, fields, token) => {
    const credential = token === "its own" ? program.api_token : token
    expect((await refund(fields, credential)).status).toBe(status)
  })
})

test("test mode changes nothing real", async () => {
  const one = await newProgram()
  const click_id = await newClick(one)
  const customer = { click_id, customer_key: "ada" }
  const sale = { ...customer, transaction_id: `real ${click_id}`, amount_cents: 10_000 }
  const post = (what: string, body: object) =>
    send("POST", `/api/v1/track/${what}`, { token: one.api_token, body })
  await post("lead", customer)
  await post("sale", sale)

  const before = await realDataOf(one.program_id)
  await sendTest("click", { affiliate_url: urlOf(one.code), existing_click_id: click_id }, {})
  await sendTest("lead", { click_id, customer_key: "another" }, { program_id: one.program_id })
  const again = await sendTest("sale", sale, {}, one.api_token)
  expect(again.status).toBe(200) // no duplicate check
  await sendTest("refund", { transaction_id: sale.transaction_id }, {}, one.api_token)
  expect(await realDataOf(one.program_id)).toEqual(before)

  const tested = { ...sale, transaction_id: `tested ${click_id}` }
  await sendTest("sale", tested, {}, one.api_token)
  expect((await post("sale", tested)).status).toBe(200) // a test takes no transaction_id
  const refunded = await post("refund", { transaction_id: sale.transaction_id })
  expect(refunded.body.status).toBe("reversed") // the test refund took nothing back
})

import { beforeAll, describe, expect, test } from "bun:test"
import { newMember } from "../../support/member"
import { newClick, newOwner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const WITHIN_MS = 2_000

type Call = {
  at: string
  route: string
  status: number
  error: string | null
  fields: Record<string, string | null>
}

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const list = (query = "", of: TestProgram = program, token = of.session) =>
  send("GET", `${of.path}/tracking-calls?${query}`, { token })
const callsOf = async (query = "", of = program): Promise<Call[]> => {
  const { status, body } = await list(query, of)
  expect({ query, status }).toEqual({ query, status: 200 })
  return body.data
}
const track = (route: string, body: unknown, token = program.api_token, headers = {}) =>
  send("POST", `/api/v1/track/${route}`, { token, body, headers })

/** The newest refusal that matches, which must be listed in time. */
async function refusal(matches: (call: Call) => boolean, of = program): Promise<Call> {
  for (const until = Date.now() + WITHIN_MS; ; await Bun.sleep(50)) {
    const found = (await callsOf("status=refused", of)).find(matches)
    if (found) return found
    if (Date.now() > until) throw new Error("The refusal is not listed in time.")
  }
}

describe("a refused call is listed within two seconds, with its sentence", () => {
  test("a sale: its fields by name, of its ids also the value", async () => {
    const sent = { customer_key: "secret key", transaction_id: "o-1", amount_cents: 777, extra: {} }
    const { status, body } = await track("sale", sent)
    const call = await refusal(({ fields }) => fields.transaction_id === "o-1")
    expect(call).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      route: "sale",
      status,
      error: body.error,
      fields: { customer_key: null, transaction_id: "o-1", amount_cents: null, extra: null },
    })
    expect(JSON.stringify(await callsOf())).not.toMatch(/secret key|777/)
  })

  test.each<[string, number, string, unknown, object?]>([
    ["no JSON", 400, "sale", "{"],
    ["no object", 400, "lead", "[]"],
    ["another type of body", 415, "sale", "a=1", { "content-type": "text/csv" }],
    ["nothing to refund", 404, "refund", { transaction_id: "unknown" }],
    ["text for an amount", 400, "sale", { transaction_id: "o-2", amount_cents: "5" }],
  ])("%s: %i of a %s", async (_what, status, route, sent, headers = {}) => {
    const answered = await track(route, sent, program.api_token, headers as Record<string, string>)
    expect(answered.status).toBe(status)
    const { error } = answered.body
    expect(await refusal(call => call.error === error)).toMatchObject({ route, status, error })
  })

  test("a duplicate, with its own sentence", async () => {
    const customer_key = "twice"
    await track("lead", { click_id: await newClick(program), customer_key })
    const first = { customer_key, transaction_id: "o-3", amount_cents: 5 }
    expect((await track("sale", first)).status).toBe(200)
    const { body } = await track("sale", { ...first, amount_cents: 6 })
    const call = await refusal(({ status }) => status === 409)
    expect(call).toMatchObject({ error: body.message, fields: { transaction_id: "o-3" } })
  })

  test("a click of an inactive link, by its aff: 200, and why it is not recorded", async () => {
    const path = `${program.path}/referral-links/${program.link_id}`
    await send("PUT", path, { token: program.session, body: { status: "inactive" } })
    const affiliate_url = `https://shop.example/?aff=${program.code}`
    await send("POST", "/api/v1/track/click", { body: { affiliate_url, page_url: "/x" } })
    await send("PUT", path, { token: program.session, body: { status: "active" } })
    expect(await refusal(({ route }) => route === "click")).toMatchObject({
      status: 200,
      error: "Referral link is inactive",
      fields: { affiliate_url: null, page_url: null, aff: program.code },
    })
  })

  test("a lead without a token, by its click_id", async () => {
    const shop = await newProgram()
    const click_id = await newClick(shop)
    await track("lead", { click_id, customer_key: "first" }, shop.api_token)
    const refused = await send("POST", "/api/v1/track/lead", {
      body: { click_id, customer_key: "second" },
    })
    expect(refused.status).toBe(400)
    const call = await refusal(({ route }) => route === "lead", shop)
    expect(call).toMatchObject({ error: refused.body.error, fields: { click_id } })
  })
})

describe("a recorded call is listed without an error", () => {
  test("clicks, leads, sales, refunds and tests, newest first", async () => {
    const shop = await newProgram()
    const click_id = await newClick(shop)
    const { api_token: token } = shop
    await track("lead", { click_id, customer_key: "ada" }, token)
    await track("sale", { customer_key: "ada", transaction_id: "s1", amount_cents: 5 }, token)
    await track("sale", { transaction_id: "t1", additional_data: { test_mode: true } }, token)
    await track("refund", { transaction_id: "s1" }, token)
    await Bun.sleep(1_000)

    const calls = await callsOf("status=200", shop)
    expect(calls.map(({ route, error }) => [route, error])).toEqual(
      ["refund", "sale", "sale", "lead", "click"].map(route => [route, null]),
    )
    expect(calls[0]!.fields).toEqual({ transaction_id: "s1" })
    expect(calls[1]!.fields.transaction_id).toBe("t1")
    expect(calls.map(({ at }) => at)).toEqual(
      calls
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })
})

describe("the list", () => {
  test("narrows by status and since", async () => {
    const { status } = await track("sale", { transaction_id: "later" })
    const { at } = await refusal(({ fields }) => fields.transaction_id === "later")
    expect((await callsOf(`status=${status}`)).every(call => call.status === status)).toBe(true)
    expect(await callsOf("status=418")).toEqual([])
    expect(await callsOf(`since=${at}`)).toEqual([])
    const before = new Date(Date.parse(at) - 1).toISOString()
    expect(await callsOf(`since=${before}`)).toHaveLength(1)
  })

  test("keeps the newest 200 refusals of a flood, and of other programs all", async () => {
    const [flooded, quiet] = [await newProgram(), await newProgram()]
    await track("sale", { transaction_id: "quiet" }, quiet.api_token)
    for (let i = 0; i < 25; i++) {
      const sent = Array.from({ length: 10 }, (_, n) => ({ transaction_id: `f-${i * 10 + n}` }))
      await Promise.all(sent.map(body => track("sale", body, flooded.api_token)))
    }
    for (let n = 240; n < 250; n++) {
      await refusal(({ fields }) => fields.transaction_id === `f-${n}`, flooded) // of each gateway
    }
    const calls = await callsOf("", flooded)
    expect(calls).toHaveLength(200)
    expect(calls.every(({ fields }) => Number(fields.transaction_id!.slice(2)) >= 40)).toBe(true)
    await refusal(({ fields }) => fields.transaction_id === "quiet", quiet)
  })

  test("forgets calls after seven days", async () => {
    const shop = await newProgram()
    await track("sale", { transaction_id: "old" }, shop.api_token)
    await refusal(({ fields }) => fields.transaction_id === "old", shop)
    const { program_id } = shop
    await sql`
      update tracking.tracking_calls set at = at - interval '8 days' where program_id = ${program_id}
    `
    expect(await callsOf("", shop)).toEqual([])
  })

  test("an erased customer's click_id is gone from it", async () => {
    const shop = await newProgram()
    const click_id = await newClick(shop)
    const { api_token: token } = shop
    await track("lead", { click_id, customer_key: "ada" }, token)
    await track("sale", { click_id, transaction_id: "e1" }, token)
    const isIt = ({ fields }: Call) => fields.transaction_id === "e1"
    expect((await refusal(isIt, shop)).fields.click_id).toBe(click_id)
    const erased = await send("DELETE", `${shop.path}/customers/ada`, { token: shop.session })
    expect(erased.status).toBe(200)
    expect((await refusal(isIt, shop)).fields).toEqual({ click_id: null, transaction_id: "e1" })
    await track("sale", { click_id, transaction_id: "e2" }, token) // the browser still has it
    await refusal(({ fields }) => fields.transaction_id === "e2", shop)
    expect(JSON.stringify(await callsOf("", shop))).not.toContain(click_id)
  })

  test("calls with an unknown token or aff belong to no program", async () => {
    const count = async () => (await sql`select count(*) from tracking.tracking_calls`)[0]!.count
    await Bun.sleep(1_000)
    const before = await count()
    await track("sale", { transaction_id: "unknown token" }, "aff_wrong")
    await send("POST", "/api/v1/track/click", {
      body: { affiliate_url: "https://a.example/?aff=no-such-link" },
    })
    await send("POST", "/api/v1/track/click", { body: {} })
    await Bun.sleep(1_500)
    expect(await count()).toBe(before)
  })

  test("a hostile call is listed as text that can be stored", async () => {
    const shop = await newProgram()
    const name = "<script>".repeat(20)
    const sent = `{"transaction_id": "${"x".repeat(9_000)}", "${name}": 1, "constructor": 2}`
    await track("sale", sent, shop.api_token)
    const { fields } = await refusal(() => true, shop)
    expect(fields.transaction_id).toHaveLength(255)
    expect(Object.keys(fields)).toContain(name.slice(0, 64))
    await track("sale", '{"transaction_id": "\\u0000", "\\ud800": 1}', shop.api_token)
    expect(await refusal(({ error }) => error!.includes("NUL"), shop)).toMatchObject({ fields: {} })
  })

  test("refuses in this order: session, program, permission, query", async () => {
    const stranger = await newOwner()
    const billing = await newMember(program, "billing")
    for (const [status, token, query] of [
      [401, "", "status=x"],
      [401, program.api_token, ""],
      [404, stranger.session, "status=x"],
      [403, billing, "status=x"],
      [400, program.session, "status=x"],
      [400, program.session, "status=600"],
      [400, program.session, "since=yesterday"],
      [200, program.session, "since=2026-01-01"],
    ] as const) {
      expect({ query, status: (await list(query, program, token)).status }).toEqual({
        query,
        status,
      })
    }
  })
})

test("a call to the alias is listed under the same route", async () => {
  const body = { transaction_id: "by alias" }
  await send("POST", "/api/tracking/sale", { token: program.api_token, body })
  expect((await refusal(({ fields }) => fields.transaction_id === "by alias")).route).toBe("sale")
})

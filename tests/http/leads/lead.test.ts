import { beforeAll, describe, expect, test } from "bun:test"
import { mintToken } from "../../../lib/token"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
})

const LEAD = "/api/v1/track/lead"
const lead = (body: unknown, token?: string) => send("POST", LEAD, { token, body })
const leadOf = (fields: object) => lead(fields, program.api_token)

const customersOf = (click_id: string) => sql`
  select customer_key, key_is_provisional, email_masked, customer_status, signup_date
  from tracking.customers
  where click_id = ${click_id}
  order by id
`
const leadsOf = (click_id: string) => sql`
  select *
  from tracking.affiliate_lead_events
  where click_id = ${click_id}
`

describe("POST /api/v1/track/lead", () => {
  test("moves the customer to lead and binds its key and e-mail", async () => {
    const click_id = await newClick(program, {
      session_id: "s1",
      page_url: "https://shop.example/p",
    })
    const additional_data = { event_name: "trial", program_id: "59" }
    const reply = await leadOf({
      click_id,
      customer_key: "ada",
      email: "Ada@Example.com",
      additional_data,
    })

    expect(reply.body).toEqual({ success: true, message: expect.any(String) })
    expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
    expect(await customersOf(click_id)).toMatchObject([
      {
        customer_key: "ada",
        key_is_provisional: false,
        email_masked: "a***@e***.com",
        customer_status: "lead",
        signup_date: expect.any(Date),
      },
    ])
    expect(await leadsOf(click_id)).toMatchObject([
      {
        program_id: program.program_id,
        customer_key: "ada",
        email_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        event_name: "trial",
        stated_program_id: 59,
        session_id: "s1",
        page_url: "https://shop.example/p",
        partner_id: program.partner_id,
        is_test: false,
      },
    ])
  })

  test("masks an e-mail address by whole characters", async () => {
    const click_id = await newClick(program)
    await leadOf({ click_id, email: "😀da@😀xample.com" })
    expect(await customersOf(click_id)).toMatchObject([{ email_masked: "😀***@😀***.com" }])
  })

  test("creates one lead when 60 calls race, and all of them succeed", async () => {
    const click_id = await newClick(program)
    const fields = { click_id, customer_key: "racer", email: "racer@example.com" }
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await leadOf(fields)).status),
    )

    expect(statuses).toEqual(Array(60).fill(200))
    expect(await leadsOf(click_id)).toHaveLength(1)
  })

  test("concurrent leads each belong to their own customer", async () => {
    const clicks = await Promise.all(Array.from({ length: 20 }, () => newClick(program)))
    const [rival, shared] = [await newClick(program), await newClick(program)]
    const foreign = await newClick(other)
    const bought = await newClick(program)
    const sale = { transaction_id: `of ${bought}`, amount_cents: 100, click_id: bought }
    await send("POST", "/api/v1/track/sale", { token: program.api_token, body: sale })

    const replies = await Promise.all([
      ...clicks.map((click_id, i) => leadOf({ click_id, customer_key: `one of many ${i}` })),
      leadOf({ click_id: shared, customer_key: "father" }),
      leadOf({ click_id: shared, customer_key: "son" }),
      leadOf({ click_id: rival, customer_key: "one of many 0" }),
      leadOf({ click_id: foreign }),
      leadOf({ click_id: bought }),
      leadOf({ click_id: "unknown" }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([...Array(23).fill(200), 400, 400, 400])

    const statusesOf = async (click_ids: string[]) =>
      (await Promise.all(click_ids.map(customersOf)))
        .flat()
        .map(({ customer_key, customer_status }) => `${customer_key}: ${customer_status}`)
    const [contested, ...others] = clicks.map((_, i) => `one of many ${i}: lead`)
    expect(await statusesOf(clicks.slice(1))).toEqual(others)
    const claimants = await statusesOf([clicks[0]!, rival]) // the first one gets the key
    expect(claimants.sort()).toEqual(["null: click", contested!])
    const family = await customersOf(shared)
    expect(family.map(({ customer_key }) => customer_key).sort()).toEqual(["father", "son"])
    expect(await leadsOf(shared)).toHaveLength(2)
    expect([...(await leadsOf(foreign)), ...(await leadsOf(bought))]).toEqual([])
  })

  test("a lead that waits for a lock does not delay concurrent ones", async () => {
    const [mine, theirs] = [await newClick(program), await newClick(other)]
    const waiting = await sql.begin(async sql => {
      await sql`
        select 1
        from tracking.customers
        where click_id = ${mine}
        for update
      `
      const pending = leadOf({ click_id: mine })
      expect((await lead({ click_id: theirs }, other.api_token)).status).toBe(200)
      return { pending }
    })
    expect((await waiting.pending).status).toBe(200)
    expect(await leadsOf(mine)).toHaveLength(1)
  })

  test("a repeat binds what was missing and creates no second lead", async () => {
    const click_id = await newClick(program)
    await leadOf({ click_id })
    await leadOf({ click_id, customer_key: "late key" })
    await leadOf({ customer_key: "late key", email: "late@example.org" })

    expect(await customersOf(click_id)).toMatchObject([
      { customer_key: "late key", email_masked: "l***@e***.org" },
    ])
    expect(await leadsOf(click_id)).toHaveLength(1)
  })

  test("compares keys exactly: case, spaces and Unicode forms differ", async () => {
    for (const key of ["Zoë", "Zoe\u0308", "zoë", " Zoë"]) {
      expect((await leadOf({ click_id: await newClick(program), customer_key: key })).status).toBe(
        200,
      )
    }
    const [found] = await sql`
      select count(*) as customers
      from tracking.customers
      where program_id = ${program.program_id}
        and lower(normalize(trim(customer_key))) = 'zoë'
    `
    expect(Number(found?.customers)).toBe(4)
  })
})

describe("a lead with a token", () => {
  test("prefers the key to the click", async () => {
    const [first, second] = [await newClick(program), await newClick(program)]
    await leadOf({ click_id: first, customer_key: "preferred" })
    expect((await leadOf({ click_id: second, customer_key: "preferred" })).status).toBe(200)
    expect(await leadsOf(second)).toHaveLength(0)
  })

  test("creates a second customer when a browser is shared", async () => {
    const click_id = await newClick(program)
    await leadOf({ click_id, customer_key: "mother" })
    await leadOf({ click_id, customer_key: "daughter" })
    await leadOf({ click_id, customer_key: "daughter" })

    expect(await customersOf(click_id)).toMatchObject([
      { customer_key: "mother", customer_status: "lead" },
      { customer_key: "daughter", customer_status: "lead" },
    ])
    expect(await leadsOf(click_id)).toHaveLength(2)
    await leadOf({ click_id, email: "mother@example.com" }) // a click_id alone means the first
    expect(await customersOf(click_id)).toMatchObject([
      { email_masked: "m***@e***.com" },
      { email_masked: null },
    ])
  })

  test("takes back a key that a browser had claimed for another click", async () => {
    const [thief, owner] = [await newClick(program), await newClick(program)]
    await lead({ click_id: thief, customer_key: "coveted" })
    await leadOf({ click_id: owner, customer_key: "coveted" })

    expect(await customersOf(thief)).toMatchObject([{ customer_key: null }])
    expect(await customersOf(owner)).toMatchObject([
      { customer_key: "coveted", key_is_provisional: false },
    ])
  })

  test("confirms a key that a browser had claimed, when it names the same click", async () => {
    const click_id = await newClick(program)
    await lead({ click_id, customer_key: "honest" })
    expect(await customersOf(click_id)).toMatchObject([{ key_is_provisional: true }])
    await leadOf({ customer_key: "honest" }) // names no click
    expect(await customersOf(click_id)).toMatchObject([{ key_is_provisional: true }])
    await leadOf({ customer_key: "honest", click_id })
    expect(await customersOf(click_id)).toMatchObject([{ key_is_provisional: false }])

    await leadOf({ click_id: await newClick(program), customer_key: "honest" }) // the key stays
    expect(await customersOf(click_id)).toMatchObject([{ customer_key: "honest" }])
  })
})

describe("a lead without a token", () => {
  test("finds its customer by the click alone", async () => {
    const click_id = await newClick(program)
    expect((await lead({ click_id, customer_key: "browser" })).status).toBe(200)
    expect((await lead({ customer_key: "browser" })).status).toBe(400)
    expect(await leadsOf(click_id)).toMatchObject([{ customer_key: "browser" }])
  })

  test("does not take another customer's key, but still counts as a lead", async () => {
    await leadOf({ click_id: await newClick(program), customer_key: "owned" })
    const click_id = await newClick(program)
    expect((await lead({ click_id, customer_key: "owned" })).status).toBe(200)
    expect(await customersOf(click_id)).toMatchObject([
      { customer_key: null, customer_status: "lead" },
    ])
  })

  test("may not set a second key", async () => {
    const click_id = await newClick(program)
    await lead({ click_id, customer_key: "one" })
    expect((await lead({ click_id, customer_key: "one" })).status).toBe(200)
    expect((await lead({ click_id, customer_key: "two" })).status).toBe(400)
    expect(await customersOf(click_id)).toMatchObject([{ customer_key: "one" }])
  })

  test("binds nothing if the program takes leads from backends only", async () => {
    const strict = await newProgram({ lead_auth: "server" })
    const click_id = await newClick(strict)
    expect((await lead({ click_id, customer_key: "k", email: "k@example.com" })).body).toEqual({
      success: true,
      provisional: true,
      message: expect.any(String),
    })
    expect(await customersOf(click_id)).toMatchObject([
      { customer_key: null, email_masked: null, customer_status: "click" },
    ])
    expect((await lead({ click_id, customer_key: "k" }, strict.api_token)).body).toEqual({
      success: true,
      message: expect.any(String),
    })
    expect(await customersOf(click_id)).toMatchObject([{ customer_status: "lead" }])
  })
})

describe("refuses a lead", () => {
  const big = "x".repeat(256 * 1024 + 1)
  let click_id: string
  let others: string
  let converted: string
  beforeAll(async () => {
    click_id = await newClick(program)
    others = await newClick(other)
    converted = await newClick(program)
    const sale = { transaction_id: `converted ${converted}`, amount_cents: 1, click_id: converted }
    await send("POST", "/api/v1/track/sale", { token: program.api_token, body: sale })
  })

  test.each<
    [number, string, () => { token?: string; body?: unknown; headers?: Record<string, string> }]
  >([
    [413, "too large", () => ({ token: "junk", body: big })],
    [
      415,
      "another content type",
      () => ({ token: "junk", body: "{}", headers: { "content-type": "text/html" } }),
    ],
    [
      415,
      "encoded",
      () => ({ token: "junk", body: "{}", headers: { "content-encoding": "gzip" } }),
    ],
    [401, "a junk token", () => ({ token: "junk", body: "{" })],
    [401, "an unknown token", () => ({ token: mintToken("aff_"), body: "{" })],
    [401, "a management key", () => ({ token: mintToken("affk_"), body: "{" })],
    [401, "a session", () => ({ token: program.session, body: "{" })],
    [401, "an empty Authorization", () => ({ body: "{", headers: { authorization: "" } })],
    [400, "invalid JSON", () => ({ token: program.api_token, body: "{" })],
    [400, "neither click_id nor customer_key", () => ({ body: {} })],
    [400, "both null", () => ({ body: { click_id: null, customer_key: null } })],
    [400, "an empty click_id", () => ({ body: { click_id: "" } })],
    [400, "a click_id that is a number", () => ({ body: { click_id: 7 } })],
    [400, "a key of 256 characters", () => ({ body: { click_id, customer_key: "k".repeat(256) } })],
    [
      400,
      "test_mode that is text",
      () => ({ body: { click_id, additional_data: { test_mode: "true" } } }),
    ],
    [400, "an unknown click", () => ({ body: { click_id: "clk_unknown" } })],
    [
      400,
      "an unknown key",
      () => ({ token: program.api_token, body: { customer_key: "unknown" } }),
    ],
    [
      400,
      "another program's customer",
      () => ({ token: program.api_token, body: { click_id: others } }),
    ],
    [400, "a customer who has converted", () => ({ body: { click_id: converted } })],
  ])("%i: %s", async (status, _why, request) => {
    const leads = () => sql`select count(*) as count from tracking.affiliate_lead_events`
    const before = await leads()
    expect(await send("POST", LEAD, request())).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
    expect(await leads()).toEqual(before)
  })
})

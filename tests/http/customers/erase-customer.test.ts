import { beforeAll, describe, expect, test } from "bun:test"
import { refund, wrongBalances } from "../../support/books"
import { click, storedClick } from "../../support/clicks"
import { columnsContaining, dumpAllRows } from "../../support/columns"
import { untilCopied } from "../../support/event-log"
import { addClicks, newCustomers } from "../../support/history"
import { waitForBlockedSessions } from "../../support/locks"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let count = 0
const unique = (what: string) => `${what}-${process.pid}-${Date.now().toString(36)}-${++count}`

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
})

const pathOf = (key: string, of = program) => `${of.path}/customers/${encodeURIComponent(key)}`
const erase = (key: string, of = program) => send("DELETE", pathOf(key, of), { token: of.session })
const lead = (body: object, token?: string) => send("POST", "/api/v1/track/lead", { token, body })
const sell = (fields: object, { api_token: token } = program) =>
  send("POST", "/api/v1/track/sale", { token, body: { amount_cents: 10_000, ...fields } })
/** Returns the columns that contain a text, once reporting and delivery have applied everything. */
const columnsWith = async (text: string) => {
  await report("events")
  await untilCopied(sql)
  return columnsContaining(sql, text)
}
const report = async (what: "events" | "performance", query = "", of = program) =>
  (await send("GET", `/api/tracking/${what}/${of.program_id}${query}`, { token: of.session })).body

/** Creates a customer with every kind of recorded data. Each name is unique. */
async function newCustomer(of = program) {
  const names = {
    customer_key: unique("key"),
    email: `${unique("ada")}@lovelace.example`,
    session_id: unique("session"),
    page: unique("page"),
    referrer: unique("referrer"),
    title: unique("title"),
    agent: unique("agent"),
    event_name: unique("event"),
    item: unique("item"),
    subscription_id: unique("subscription"),
  }
  const clickFields = {
    affiliate_url: `https://shop.example/${names.page}?aff=${of.code}`,
    page_url: `https://shop.example/${names.page}`,
    page_title: names.title,
    referrer_url: `https://blog.example/${names.referrer}`,
    session_id: names.session_id,
    user_agent: `Mozilla/5.0 ${names.agent}`,
    screen_resolution: "1234x567",
    viewport_size: "1233x566",
    language: "de-CH-1996",
    timezone: "Europe/Zurich",
  }
  const click_id = await newClick(of, clickFields)
  await click(of.code, { ...clickFields, existing_click_id: click_id })

  const { customer_key, email, event_name, subscription_id } = names
  await lead({ click_id, customer_key, email, additional_data: { event_name } }, of.api_token)
  const transaction_id = unique("transaction")
  const line_items = { [names.item]: names.item }
  const sold = await sell({ transaction_id, customer_key, line_items, subscription_id }, of)
  expect(sold.status).toBe(200)
  return { click_id, transaction_id, sale_id: sold.body.sale_id as number, names }
}

describe("DELETE …/customers/:customerKey", () => {
  test("200: replies with the customer's id and the time", async () => {
    const { click_id, names } = await newCustomer()
    const [{ id }] = await sql<[{ id: number }]>`
      select id from tracking.customers where click_id = ${click_id}
    `
    const { status, body } = await erase(names.customer_key)
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { id, erased_at: expect.stringMatching(/^2\d{3}-.*Z$/) } },
    })
  })

  test("404: the customer is already erased", async () => {
    const { names } = await newCustomer()
    expect((await erase(names.customer_key)).status).toBe(200)
    const { status, body } = await erase(names.customer_key)
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } })
  })

  test.each([
    ["an unknown key", "unknown"],
    ["an id", "1"],
    ["a key with a forbidden character", "\0"],
    ["a key that is too long", "k".repeat(256)],
  ])("404: %s", async (_, key) => {
    expect((await erase(key)).status).toBe(404)
  })

  test.each(["%ff", "%", "%ED%A0%80"])("404: a key that is badly encoded: %s", async encoded => {
    await lead({ click_id: await newClick(program), customer_key: "\uFFFD" }, program.api_token)
    const path = `${program.path}/customers/${encoded}`
    expect((await send("DELETE", path, { token: program.session })).status).toBe(404)
  })

  test.each(["a b", "50%25", "a/b?c#d", "käse", "+", "k".repeat(255), "\uFFFD", " ", "%2e"])(
    "200: the key %j, compared exactly",
    async customer_key => {
      await lead({ click_id: await newClick(program), customer_key }, program.api_token)
      expect((await erase(`${customer_key} `)).status).toBe(404)
      expect((await erase(customer_key)).status).toBe(200)
    },
  )

  test.each([".", "..", "a/b?c#d"])(
    "200: the key %j in the query, where it is not read as a path segment",
    async customer_key => {
      await lead({ click_id: await newClick(program), customer_key }, program.api_token)
      const named = (key: string) => `${program.path}/customers?customer_key=${key}`
      const { session: token } = program
      const erase = (path: string) => send("DELETE", path, { token })
      const key = encodeURIComponent(customer_key)
      expect((await erase(named(`${key}+`))).status).toBe(404)
      expect((await erase(named(key))).status).toBe(200)
      expect((await erase(named(key))).status).toBe(404)
    },
  )

  test.each([
    ["there is no key", ""],
    ["the key is empty", "?customer_key="],
    ["the key is too long", `?customer_key=${"k".repeat(256)}`],
    ["the key has a forbidden character", "?customer_key=%00"],
  ])("400: %s", async (_why, query) => {
    const path = `${program.path}/customers${query}`
    const reply = await send("DELETE", path, { token: program.session })
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  })

  test("404: the key of another program's customer, who keeps it", async () => {
    const { names } = await newCustomer(other)
    expect((await erase(names.customer_key)).status).toBe(404)
    expect(await columnsContaining(sql, names.customer_key)).not.toEqual([])
  })

  test("400: the body is not JSON; 405: other methods", async () => {
    const { names } = await newCustomer()
    const path = pathOf(names.customer_key)
    const token = program.session
    const headers = { "content-type": "application/json" }
    expect((await send("DELETE", path, { token, headers, body: "{" })).status).toBe(400)
    expect((await send("PUT", path, { token, body: {} })).status).toBe(405)
    expect((await erase(names.customer_key)).status).toBe(200)
  })
})

describe("An erased customer", () => {
  test("is named nowhere, and its events have no personal data", async () => {
    const { click_id, names } = await newCustomer()
    const texts = [click_id, ...Object.values(names)]
    const { customer_id } = await storedClick(click_id)
    const local = names.email.slice(0, names.email.indexOf("@"))
    const before = await dumpAllRows(sql)
    expect(texts.filter(text => text !== names.email && !before.includes(text))).toEqual([])
    expect((await report("events")).data[0].click_id).toBe(click_id)

    await erase(names.customer_key)
    const { data } = await report("events", "?pageSize=100")
    expect(JSON.stringify(data)).not.toContain(click_id)
    await untilCopied(sql)
    const after = await dumpAllRows(sql)
    expect([...texts, local].filter(text => after.includes(text))).toEqual([])
    const [customer] = await sql`select * from tracking.customers where id = ${customer_id}`
    expect(customer).toMatchObject({ customer_key: null, email_hash: null, email_masked: null })
    const clicks = await sql`
      select * from tracking.affiliate_click_events where customer_id = ${customer_id}
    `
    expect(clicks).toHaveLength(2)
    for (const stored of clicks) {
      const left = Object.keys(stored).filter(name => typeof stored[name] === "string")
      expect(left.sort()).toEqual(["browser_name", "device_type", "final_xact", "referrer_host"])
    }
  })

  test("leaves counts, money and shares unchanged", async () => {
    const books = await newProgram()
    const erased = await newCustomer(books)
    await newCustomer(books)
    const before = await report("performance", "", books)
    const events = await report("events", "?pageSize=100", books)
    const partner = await send("GET", `${books.path}/partners/${books.partner_id}`, {
      token: books.session,
    })
    await erase(erased.names.customer_key, books)

    expect(await report("performance", "", books)).toEqual(before)
    const after = await report("events", "?pageSize=100", books)
    const kept = (event: any) => {
      const { click_id, customer_key, session_id, page_url, referrer_url, ...rest } = event
      return rest
    }
    expect(after.data.map(kept)).toEqual(events.data.map(kept))
    expect(after.meta).toEqual(events.meta)
    const now = await send("GET", `${books.path}/partners/${books.partner_id}`, {
      token: books.session,
    })
    expect(now.body).toEqual(partner.body)
    const shown = await send("GET", `${books.path}/sales/${erased.sale_id}`, {
      token: books.session,
    })
    expect(shown.body.data).toMatchObject({
      transaction_id: erased.transaction_id,
      amount_cents: 10_000,
      customer_key: null,
      click_id: null,
      subscription_id: null,
      line_items: null,
      commission: { amount_cents: 3_000 },
    })
  })

  test("can still be refunded once, and its sale stays a duplicate", async () => {
    const { names, transaction_id } = await newCustomer()
    await erase(names.customer_key)
    const sale = { transaction_id, customer_key: names.customer_key }
    expect((await sell(sale)).status).toBe(409)

    const refunded = await refund(program, { transaction_id })
    expect(refunded.body).toMatchObject({ status: "reversed", deductionAmount: 30 })
    expect((await refund(program, { transaction_id })).body.status).toBe("skipped")
    expect(await wrongBalances()).toHaveLength(0)
  })

  test("is unknown to leads, sales and renewals until a click creates a new one", async () => {
    const { click_id, names } = await newCustomer()
    const { customer_key, subscription_id } = names
    await erase(customer_key)

    const renewal = { sale_type: "subscription", is_recurring: true, subscription_id }
    expect((await lead({ click_id })).status).toBe(400)
    expect((await lead({ click_id, customer_key }, program.api_token)).status).toBe(400)
    expect((await sell({ transaction_id: unique("t"), customer_key })).status).toBe(400)
    expect((await sell({ transaction_id: unique("t"), customer_key, ...renewal })).status).toBe(400)

    const { body } = await click(program.code, { existing_click_id: click_id })
    expect(body.click_id).not.toBe(click_id)
    const fresh = { click_id: body.click_id, customer_key }
    expect((await lead(fresh, program.api_token)).status).toBe(200)
    const sold = await sell({ transaction_id: unique("t"), customer_key })
    expect(sold.body).toMatchObject({ success: true, commission_id: expect.any(Number) })
    expect((await erase(customer_key)).status).toBe(200)
    expect(await columnsWith(click_id)).toEqual([])
  })

  test("loses its test events too", async () => {
    const { click_id, names } = await newCustomer()
    const additional_data = { test_mode: true, program_id: program.program_id }
    const { customer_key, email } = names
    await lead({ click_id, customer_key, email, additional_data })
    await lead({ email, additional_data })
    await sell({ customer_key, line_items: { customer_key }, additional_data })
    await click(program.code, {
      existing_click_id: click_id,
      session_id: names.session_id,
      additional_data,
    })
    await click(other.code, { existing_click_id: click_id }) // of a browser that both programs know

    await erase(customer_key)
    await report("events")
    await untilCopied(sql)
    const stored = await dumpAllRows(sql)
    expect([click_id, ...Object.values(names)].filter(name => stored.includes(name))).toEqual([])
    const [{ sealed }] = await sql<[{ sealed: number }]>`
      select count(*) as sealed
      from tracking.affiliate_lead_events
      where program_id = ${program.program_id} and is_test and email_hash is not null
    `
    expect(sealed).toBe(0)
  })

  test("loses its key where a browser once claimed it for another customer", async () => {
    const customer_key = unique("claimed")
    const [claimed, owner] = [await newClick(program), await newClick(program)]
    await lead({ click_id: claimed, customer_key })
    await lead({ click_id: owner, customer_key }, program.api_token)
    expect(JSON.stringify(await report("events"))).toContain(customer_key)

    await erase(customer_key)
    const { data } = await report("events", "?pageSize=100")
    expect(JSON.stringify(data)).not.toContain(customer_key)
    expect(await columnsWith(customer_key)).toEqual([])
    expect(data.filter((event: any) => event.click_id === claimed)).toHaveLength(2) // it stays
  })

  test("is not named by a row that reporting applies only later", async () => {
    const [customer_id] = (await newCustomers(program, 1)) as [number]
    await sql`
      insert into reporting.erased_customers (customer_id, scope)
      values (${customer_id}, 'customer')
    `
    const page_url = unique("read before")
    await addClicks(program, [{ customer_id, at: new Date().toISOString(), page_url }])
    const { data } = await report("events")
    expect(data[0]).toMatchObject({ event_type: "click", click_id: null, page_url: null })
  })

  test("who shared a browser leaves the click_id to the other one", async () => {
    const [first, second] = [unique("first"), unique("second")]
    const click_id = await newClick(program)
    for (const customer_key of [first, second]) {
      await lead({ click_id, customer_key }, program.api_token)
    }
    await erase(second)
    const sold = await sell({ transaction_id: unique("t"), click_id })
    expect(sold.body.commission_id).toEqual(expect.any(Number))
    expect(await columnsWith(second)).toEqual([])
    await erase(first)
    expect(await columnsWith(click_id)).toEqual([])
  })
})

describe("An erasure that races", () => {
  test("with itself succeeds once", async () => {
    const { names } = await newCustomer()
    const replies = await Promise.all(Array.from({ length: 8 }, () => erase(names.customer_key)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })

  test("with a click that has read the click_id waits for it and erases it too", async () => {
    const { click_id, names } = await newCustomer()
    const { clicking, erasing } = await sql.begin(async sql => {
      // a lock that a click takes after it has read the customer; an erasure does not need it
      await sql`alter sequence tracking.affiliate_click_events_id_seq no cycle`
      const clicking = click(program.code, { existing_click_id: click_id })
      await waitForBlockedSessions(1, "tracking.customers")
      const erasing = erase(names.customer_key)
      await waitForBlockedSessions(2, "tracking.customers")
      return { clicking, erasing }
    })
    expect((await clicking).body.click_id).toBe(click_id)
    expect((await erasing).status).toBe(200)
    expect(await columnsWith(click_id)).toEqual([])
  })

  test("with clicks, leads and sales leaves no personal data and balanced books", async () => {
    for (let round = 0; round < 5; round++) {
      const { click_id, names } = await newCustomer()
      const { customer_key } = names
      let isErased = false
      const busy = async (work: () => Promise<{ status: number }>) => {
        while (!isErased) expect([200, 400, 409, 503]).toContain((await work()).status)
      }
      const transactions: string[] = []
      const working = [
        busy(() => click(program.code, { existing_click_id: click_id })),
        busy(() => click(program.code, { existing_click_id: click_id })),
        busy(() => lead({ click_id, customer_key }, program.api_token)),
        busy(() => {
          const transaction_id = unique("race")
          transactions.push(transaction_id)
          return sell({ transaction_id, customer_key, line_items: { customer_key } })
        }),
        busy(() => report("events").then(() => ({ status: 200 }))),
      ]
      await Bun.sleep(20)
      expect((await erase(customer_key)).status).toBe(200)
      await Bun.sleep(20)
      isErased = true
      await Promise.all(working)

      const left = await columnsWith(click_id)
      expect(left.filter(column => !column.endsWith(".existing_click_id"))).toEqual([])
      expect(await columnsWith(customer_key)).toEqual([])
      for (const transaction_id of transactions) {
        expect([200, 404]).toContain((await refund(program, { transaction_id })).status)
      }
    }
    expect(await wrongBalances()).toHaveLength(0)
  }, 60_000)

  test("with a lead of an earlier claimant neither deadlocks nor delays clicks", async () => {
    const key = unique("key")
    const [claiming, bound] = [await newClick(program), await newClick(program)]
    await lead({ click_id: claiming, customer_key: key })
    await lead({ click_id: bound, customer_key: key }, program.api_token)

    const { leading, erasing } = await sql.begin(async sql => {
      await sql`select from tracking.customers where click_id = ${claiming} for update`
      const leading = lead({ click_id: claiming, customer_key: key }, program.api_token)
      await waitForBlockedSessions(1, "tracking.customers") // waits for this transaction
      const erasing = erase(key)
      await waitForBlockedSessions(2, "tracking.customers") // waits too
      return { leading, erasing }
    })
    const replies = await Promise.all([click(program.code), leading, erasing])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

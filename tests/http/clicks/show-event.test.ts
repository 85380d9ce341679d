import { beforeAll, describe, expect, test } from "bun:test"
import { click, storedClick } from "../../support/clicks"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram({ cookie_window_days: 30 })
  other = await newProgram()
})

const show = (what: string, of = program, token = of.session) =>
  send("GET", `${of.path}/${what}`, { token })
const track = (what: "lead" | "sale", body: object, of = program) =>
  send("POST", `/api/v1/track/${what}`, { token: of.api_token, body })
const leadOf = async (click_id: string) => {
  const [lead] = await sql<[{ id: number }]>`
    select id from tracking.affiliate_lead_events where click_id = ${click_id}
  `
  return lead.id
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const PAGE_FIELDS = {
  page_url: "https://shop.example/pricing",
  page_title: "Pricing",
  referrer_url: "https://blog.example/review",
  session_id: "session 1",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  screen_resolution: "1920x1080",
  viewport_size: "1200x900",
  language: "de-CH",
  timezone: "Europe/Zurich",
}

/** Records a click with every field. */
const newFullClick = (of = program) =>
  newClick(of, {
    ...PAGE_FIELDS,
    affiliate_url: `https://shop.example/?aff=${of.code}&sub_id=letter`,
    existing_click_id: "clk_unknown",
    additional_data: { program_id: 987 },
  })

const CUSTOMER = () => ({
  id: expect.any(Number),
  program_id: program.program_id,
  customer_key: null,
  customer_status: "click",
  email_masked: null,
  signup_date: null,
  first_purchase_date: null,
  partner_id: program.partner_id,
  link_id: program.link_id,
  click_event_id: expect.any(Number),
  attributed_at: TIME,
  cookie_window_days: 30,
  created_at: TIME,
})

describe("GET …/clicks/:clickEventId", () => {
  test("200: every field that was sent or derived, and the customer", async () => {
    const click_id = await newFullClick()
    const { id } = await storedClick(click_id)
    const { status, body } = await show(`clicks/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        id,
        program_id: program.program_id,
        stated_program_id: 987,
        click_id,
        partner_id: program.partner_id,
        link_id: program.link_id,
        cookie_window_days: 30,
        affiliate_url: `https://shop.example/?aff=${program.code}&sub_id=letter`,
        ...PAGE_FIELDS,
        existing_click_id: "clk_unknown",
        geo_country: null,
        geo_region: null,
        geo_city: null,
        device_type: "desktop",
        device_os: "Linux",
        browser_name: "Firefox",
        sub_id: "letter",
        is_test: false,
        click_timestamp: TIME,
        createdAt: TIME,
        customer: { ...CUSTOMER(), click_id, click_event_id: id },
      },
    })
  })

  test("200: the ids are those of the event list, one for each click of a customer", async () => {
    const listed = await newProgram()
    const click_id = await newClick(listed)
    await click(listed.code, { existing_click_id: click_id, page_title: "Again" })
    const path = `/api/tracking/events/${listed.program_id}`
    const { body } = await send("GET", path, { token: listed.session })
    const shown = await Promise.all(
      body.data.map(({ id }: { id: number }) => show(`clicks/${id}`, listed)),
    )
    expect(shown.map(({ body }) => body.data.page_title)).toEqual(["Again", null])
    expect(shown.map(({ body }) => body.data.click_id)).toEqual([click_id, click_id])
    expect(shown[0].body.data.customer).toEqual(shown[1].body.data.customer)
  })

  test("200: a test click, which has no customer", async () => {
    const { body } = await click(program.code, {
      page_title: "Trial",
      additional_data: { test_mode: true },
    })
    const shown = await show(`clicks/${body.data.eventId}`)
    expect(shown.body.data).toMatchObject({
      page_title: "Trial",
      is_test: true,
      click_id: null,
      partner_id: null,
      link_id: null,
      cookie_window_days: null,
      customer: null,
    })
  })

  test("200: no personal data once the customer is erased", async () => {
    const click_id = await newFullClick()
    const { id } = await storedClick(click_id)
    await track("lead", { click_id, customer_key: "grace" })
    await send("DELETE", `${program.path}/customers/grace`, { token: program.session })
    const { body } = await show(`clicks/${id}`)
    const sent = ["click_id", "affiliate_url", "existing_click_id", ...Object.keys(PAGE_FIELDS)]
    expect(sent.filter(name => body.data[name] !== null)).toEqual([])
    expect(body.data.customer).toMatchObject({ click_id: null, customer_key: null })
    expect((await show("customers/grace")).status).toBe(404)
  })
})

describe("GET …/leads/:leadEventId", () => {
  test("200: every field, an e-mail address only masked, and the customer", async () => {
    const click_id = await newFullClick()
    await track("lead", {
      click_id,
      customer_key: "ada",
      email: "ada@lovelace.example",
      additional_data: { event_name: "trial", program_id: "987" },
    })
    const id = await leadOf(click_id)
    const { status, body } = await show(`leads/${id}`)
    const { id: click_event_id } = await storedClick(click_id)
    const lead = {
      id,
      program_id: program.program_id,
      stated_program_id: 987,
      click_id,
      customer_key: "ada",
      email_masked: expect.stringMatching(/^a\*+@/),
      event_name: "trial",
      partner_id: program.partner_id,
      link_id: program.link_id,
      click_event_id,
      session_id: "session 1",
      page_url: "https://shop.example/pricing",
      is_test: false,
      lead_timestamp: TIME,
      createdAt: TIME,
    }
    const customer = {
      ...CUSTOMER(),
      click_id,
      customer_key: "ada",
      customer_status: "lead",
      email_masked: expect.stringMatching(/^a\*+@/),
      signup_date: body.data.lead_timestamp,
    }
    expect({ status, body }).toEqual({ status: 200, body: { data: { ...lead, customer } } })
    expect(JSON.stringify(body)).not.toContain("lovelace.example")
  })

  test("200: a test lead, which has no customer", async () => {
    const { body } = await track("lead", {
      customer_key: "trial",
      additional_data: { test_mode: true, event_name: "trial" },
    })
    const shown = await show(`leads/${body.data.eventId}`)
    expect(shown.body.data).toMatchObject({
      customer_key: "trial",
      event_name: "trial",
      is_test: true,
      click_event_id: null,
      customer: null,
    })
  })
})

describe("GET …/customers/:customerKey", () => {
  test("200: status, times and attribution", async () => {
    const click_id = await newClick(program)
    const email = "hedy@lamarr.example"
    await track("lead", { click_id, customer_key: "hedy/1 ?", email })
    await track("sale", { transaction_id: click_id, amount_cents: 5, customer_key: "hedy/1 ?" })
    const { status, body } = await show(`customers/${encodeURIComponent("hedy/1 ?")}`)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          ...CUSTOMER(),
          click_id,
          customer_key: "hedy/1 ?",
          customer_status: "conversion",
          email_masked: expect.stringMatching(/^h\*+@/),
          signup_date: TIME,
          first_purchase_date: TIME,
        },
      },
    })
  })
})

describe("404:", () => {
  let clickEventId: number
  let leadEventId: number
  beforeAll(async () => {
    const click_id = await newClick(other)
    await track("lead", { click_id, customer_key: "of another" }, other)
    clickEventId = (await storedClick(click_id)).id
    leadEventId = await leadOf(click_id)
  })

  test.each<[string, () => string]>([
    ["a click of another program", () => `clicks/${clickEventId}`],
    ["a lead of another program", () => `leads/${leadEventId}`],
    ["a customer of another program", () => "customers/of%20another"],
    ["an unknown click", () => "clicks/999999999"],
    ["an unknown lead", () => "leads/999999999"],
    ["an unknown key", () => "customers/unknown"],
    ["a click_id instead of an event id", () => "clicks/clk_x"],
    ["a negative id", () => "leads/-1"],
    ["an id above the largest integer", () => "clicks/9007199254740992"],
    ["a key with a forbidden character", () => "customers/%00"],
    ["a key that is badly encoded", () => "customers/%ff"],
    ["a key that is too long", () => `customers/${"k".repeat(256)}`],
  ])("%s", async (_what, path) => {
    const { status, body } = await show(path())
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } })
  })

  test("all three exist in their own program", async () => {
    for (const path of [`clicks/${clickEventId}`, `leads/${leadEventId}`, "customers/of%20another"])
      expect((await show(path, other)).status).toBe(200)
  })
})

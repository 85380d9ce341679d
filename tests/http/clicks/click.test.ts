import { beforeAll, describe, expect, test } from "bun:test"
import { click, countClicks, customerOf, storedClick, urlOf } from "../../support/clicks"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const CLICK = "/api/v1/track/click"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram({ cookie_window_days: 30 })
})

const sent = (fields: object = {}, headers: Record<string, string> = {}) =>
  click(program.code, fields, headers)
const raw = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}) =>
  send("POST", CLICK, { body, headers: { "content-type": "application/json", ...headers } })

describe("POST /api/v1/track/click is refused", () => {
  const big = "x".repeat(256 * 1024)

  test.each<[number, string, () => ReturnType<typeof send>]>([
    [404, "another path", () => send("POST", `${CLICK}s`, { body: {} })],
    [405, "another method", () => send("GET", CLICK)],
    [413, "too large", () => raw(`{"page_title":"${big}"}`)],
    [415, "encoded", () => raw("{}", { "content-encoding": "gzip" })],
    [
      415,
      "another content type",
      () => raw("{}", { "content-type": "application/x-www-form-urlencoded" }),
    ],
    [400, "no body", () => raw("")],
    [400, "invalid JSON", () => raw("{")],
    [400, "not an object", () => raw("[]")],
    [400, "affiliate_url is a number", () => sent({ affiliate_url: 5 })],
    [
      400,
      "affiliate_url of 8,193 characters",
      () => sent({ affiliate_url: urlOf(program.code).padEnd(8_193, "x") }),
    ],
    [400, "test_mode is a string", () => sent({ additional_data: { test_mode: "true" } })],
  ])("%i: %s", async (status, _why, call) => {
    expect(await call()).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("405 lists the allowed method", async () => {
    const { headers } = await send("PUT", CLICK, { body: {} })
    expect(headers.get("allow")).toContain("POST")
  })

  test("400: each kind of invalid affiliate_url has its own message", async () => {
    const wrong = [
      undefined,
      "not a url",
      "//shop.example/?aff=x",
      "ftp://shop.example/?aff=x",
      "javascript:alert(1)",
      "https://shop.example/",
      "https://shop.example/?aff=",
      "https://shop.example/#aff=x",
      urlOf("unknown-code"),
      urlOf(program.code.toUpperCase()),
      urlOf("a%00b"),
      urlOf("x".repeat(300)),
    ]
    const replies = await Promise.all(wrong.map(affiliate_url => sent({ affiliate_url })))
    expect(replies.map(({ status }) => status)).toEqual(wrong.map(() => 400))
    const [missing, text, relative, ftp, script, none, empty, hash, ...unknown] = replies.map(
      ({ body }) => body.error,
    )
    expect(text).toBe(relative)
    expect(ftp).toBe(script)
    expect(new Set([none, empty, hash]).size).toBe(1)
    expect(new Set(unknown).size).toBe(1)
    expect(new Set([missing, text, ftp, none, unknown[0]]).size).toBe(5)
    expect(await countClicks(program.program_id)).toMatchObject({
      events: 0,
      links: 0,
      partners: 0,
    })
  })
})

describe("POST /api/v1/track/click", () => {
  test("replies with the click_id, code and window, and ignores credentials", async () => {
    const { status, body, headers } = await sent({}, { authorization: "Bearer junk" })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        click_id: expect.stringMatching(/^clk_[0-9A-HJKMNP-TV-Z]{26}$/),
        partner_code: program.code,
        cookie_window_days: 30,
      },
    })
    expect(headers.get("x-request-id")).toBeString()
  })

  test("uses the first aff parameter of the query", async () => {
    const affiliate_url = `HTTP://shop.example/a?x=%20&aff=${program.code}&aff=other#aff=third`
    expect((await sent({ affiliate_url })).body.partner_code).toBe(program.code)
  })

  test("stores every field that was sent", async () => {
    const fields = {
      affiliate_url: `${urlOf(program.code)}&x=${"y".repeat(3_000)}`,
      page_url: "https://shop.example/p?a=1",
      page_title: `Quotes ", \\ and {braces}, NULL`,
      referrer_url: "https://blog.example/",
      session_id: "s-1",
      user_agent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15" +
        " (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
      screen_resolution: "390x844",
      viewport_size: "390x664",
      language: "de-CH",
      timezone: "Europe/Zurich",
      existing_click_id: "unknown id",
    }
    const additional_data = { program_id: 59, test_mode: false }
    const { click_id } = (await sent({ ...fields, additional_data })).body
    expect(await storedClick(click_id)).toMatchObject({
      ...fields,
      stated_program_id: 59,
      program_id: program.program_id,
      partner_id: program.partner_id,
      link_id: program.link_id,
      window_days: 30,
      device_type: "mobile",
      device_os: "iOS",
      browser_name: "Safari",
      is_test: false,
    })
    expect(await customerOf(click_id)).toMatchObject({
      program_id: program.program_id,
      partner_id: program.partner_id,
      link_id: program.link_id,
      customer_status: "click",
      customer_key: null,
      window_days: 30,
      is_settled: false,
    })
  })

  test("truncates the name of an unknown browser, and reports keep working", async () => {
    const user_agent = `${"界面".repeat(500)}/1 (`
    const { click_id } = (await sent({ user_agent })).body
    expect([...(await storedClick(click_id)).browser_name]).toHaveLength(64)
    const { body } = await send("GET", `/api/tracking/events/${program.program_id}?pageSize=1`, {
      token: program.session,
    })
    expect(body.data[0]).toMatchObject({ click_id })
    expect(body.meta).not.toHaveProperty("appliedUntil")
  })

  test("stores the request's User-Agent if user_agent is null", async () => {
    const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0" }
    const { click_id } = (await sent({ user_agent: null, page_url: null }, headers)).body
    expect(await storedClick(click_id)).toMatchObject({
      user_agent: headers["user-agent"],
      browser_name: "Firefox",
      device_type: "desktop",
      page_url: null,
    })
  })

  test.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "curl/8.5.0",
  ])("recognizes a bot and counts its click: %s", async user_agent => {
    const bots = await newPartner(program)
    const { click_id } = (await click(bots.code, { user_agent })).body
    expect(await storedClick(click_id)).toMatchObject({ device_type: "bot", link_id: bots.link_id })
    const [link] = await sql`select clicks from tracking.counted_links where id = ${bots.link_id}`
    expect(link).toEqual({ clicks: 1 })
  })

  test.each<[string, object, object]>([
    ["a screen that is a word", { screen_resolution: "big" }, { screen_resolution: null }],
    ["a screen that is a number", { screen_resolution: 5 }, { screen_resolution: null }],
    ["a viewport of six digits", { viewport_size: "100000x1" }, { viewport_size: null }],
    ["a language that is a sentence", { language: "en; drop" }, { language: null }],
    ["a language that is an object", { language: {} }, { language: null }],
    ["an unknown timezone", { timezone: "Mars/Olympus" }, { timezone: null }],
    ["a timezone that is an offset", { timezone: "+01:00" }, { timezone: null }],
    ["a timezone that is a list", { timezone: ["UTC"] }, { timezone: null }],
  ])("drops %s", async (_what, fields, kept) => {
    const { status, body } = await sent(fields)
    expect(status).toBe(200)
    expect(await storedClick(body.click_id)).toMatchObject(kept)
  })

  test.each<[string, string, string]>([
    ["page_title", `${"x".repeat(1_023)}😀😀`, `${"x".repeat(1_023)}😀`],
    ["session_id", "😀".repeat(256), "😀".repeat(255)],
    ["user_agent", "u".repeat(2_000), "u".repeat(1_024)],
    ["page_url", "p".repeat(3_000), "p".repeat(2_048)],
    ["referrer_url", "r".repeat(2_048), "r".repeat(2_048)],
  ])("truncates long texts between characters: %s", async (name, long, kept) => {
    const { body } = await sent({ [name]: long })
    expect((await storedClick(body.click_id))[name]).toBe(kept)
  })

  test("ignores the address that an untrusted client forwards", async () => {
    const { body } = await sent({}, { "x-forwarded-for": "8.8.8.8" })
    expect(await storedClick(body.click_id)).toMatchObject({ geo_country: null })
  })

  test("never repeats a click_id, and later ones sort later", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => newClick(program)))
    expect(new Set(ids).size).toBe(50)
    expect((await newClick(program)) > ids.toSorted()[0]!).toBe(true)
  })
})

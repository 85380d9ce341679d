import { beforeAll, describe, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const CLICK = "/api/v1/track/click"
const MAX_BYTES = 256 * 1024
const JSON_TYPE = { "content-type": "application/json" }

const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`
const click = (more = "") =>
  `{"affiliate_url": "https://shop.example/?aff=${program.code}"${more && `, ${more}`}}`
const bytes = (text: string) => Buffer.from(text)

/** A body sent without its length. */
const chunked = (text: string) =>
  new ReadableStream({
    start(stream) {
      for (let at = 0; at < text.length; at += 50_000)
        stream.enqueue(bytes(text.slice(at, at + 50_000)))
      stream.close()
    },
  })

/** An endpoint of each kind, with a body that it accepts and the status of the reply. */
const ENDPOINTS: [string, string, () => string, (more?: string) => string, number][] = [
  ["tracking", "POST", () => CLICK, click, 200],
  [
    "management",
    "PUT",
    () => `${program.path}/referral-links/${program.link_id}`,
    more => `{"status": "active"${more ? `, ${more}` : ""}}`,
    200,
  ],
]

type Body = NonNullable<RequestInit["body"]>

describe.each(ENDPOINTS)("a body for %s", (_kind, method, path, good, accepted) => {
  const post = (body: Body, headers: Record<string, string> = JSON_TYPE) =>
    send(method, path(), { token: program.session, body, headers })

  test.each<[string, () => Body]>([
    ["usual", () => good()],
    ["in chunks", () => chunked(good(`"x": "${"y".repeat(120_000)}"`))],
    ["of exactly 256 KiB", () => good().padEnd(MAX_BYTES)],
    ["nested 16 levels deep", () => good(`"x": ${nested(15)}`)],
    ["with escapes", () => good(`"x": "\\u00e9\\ud83d\\ude00\\\\u0000"`)],
    ["with unknown fields", () => good(`"__proto__": {"a": 1}, "constructor": 1`)],
    ["with a byte order mark", () => `\ufeff${good()}`],
  ])("accepted: %s", async (_what, body) => {
    expect(await post(body())).toMatchObject({ status: accepted })
  })

  test.each<[number, string, () => Body]>([
    [413, "one byte too many", () => good().padEnd(MAX_BYTES + 1)],
    [413, "too much in chunks", () => chunked(good().padEnd(MAX_BYTES + 1))],
    [413, "too much, and not JSON", () => "{".repeat(MAX_BYTES + 1)],
    [400, "empty", () => ""],
    [400, "truncated", () => good().slice(0, -1)],
    [400, "an array", () => `[${good()}]`],
    [400, "null", () => "null"],
    [400, "a string", () => `"${"x"}"`],
    [400, "a number", () => "5"],
    [400, "two objects", () => good() + good()],
    [400, "NaN", () => good(`"x": NaN`)],
    [400, "not UTF-8", () => Buffer.concat([bytes(`{"x": "`), Buffer.from([0xff]), bytes(`"}`)])],
    [
      400,
      "UTF-8 of a surrogate",
      () => Buffer.concat([bytes(`{"x": "`), Buffer.from([0xed, 0xa0, 0x80]), bytes(`"}`)]),
    ],
    [400, "a NUL", () => good(`"x": "a\\u0000b"`)],
    [400, "a NUL deep inside", () => good(`"x": {"y": ["\\u0000"]}`)],
    [400, "a NUL in a name", () => good(`"a\\u0000": 1`)],
    [400, "a high surrogate alone", () => good(`"x": "\\ud800"`)],
    [400, "a low surrogate first", () => good(`"x": "\\udc00\\ud800"`)],
    [400, "a lone surrogate in a name deep inside", () => good(`"x": [{"\\udfff": 1}]`)],
    [400, "17 levels", () => good(`"x": ${nested(16)}`)],
    [400, "100,000 levels", () => good(`"x": ${nested(100_000)}`)],
  ])("%i: %s", async (status, _why, body) => {
    const answer = await post(body())
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(Object.keys(answer.body)).toEqual(["error"])
    expect(answer.headers.get("x-request-id")).toBeString()
  })

  test.each(["gzip", "br", "identity", ""])("415: the encoding %p", async encoding => {
    const answer = await post(good(), { ...JSON_TYPE, "content-encoding": encoding })
    expect(answer.status).toBe(415)
  })

  test("413 comes before 415", async () => {
    const headers = { "content-type": "text/csv", "content-encoding": "gzip" }
    expect((await post("x".repeat(MAX_BYTES + 1), headers)).status).toBe(413)
  })

  test.each(["application/json; charset=utf-8", "Application/JSON", "application/json;x=y"])(
    "accepted: the type %s",
    async type => {
      expect((await post(good(), { "content-type": type })).status).toBe(accepted)
    },
  )

  test.each(["text/html", "application/jsonp", "multipart/form-data; boundary=x", "json", "*/*"])(
    "415: the type %s",
    async type => {
      expect((await post(good(), { "content-type": type })).status).toBe(415)
    },
  )
})

describe("a beacon", () => {
  const AUTH = () => ({ authorization: `Bearer ${program.session}` })

  test.each<[string, Record<string, string>]>([
    ["of text/plain", { "content-type": "text/plain;charset=UTF-8" }],
    ["without a type", {}],
  ])("%s is accepted only by tracking", async (_what, headers) => {
    expect((await send("POST", CLICK, { body: bytes(click()), headers })).status).toBe(200)
    expect(
      (await send("POST", "/api/tracking/click", { body: bytes(click()), headers })).status,
    ).toBe(200)
    const management = await send("PUT", `${program.path}/referral-links/${program.link_id}`, {
      body: bytes('{"status":"active"}'),
      headers: { ...AUTH(), ...headers },
    })
    expect(management.status).toBe(415)
    const signIn = await send("POST", "/api/auth/sign-in", { body: bytes("{}"), headers })
    expect(signIn.status).toBe(415)
  })
})

test("a refused body is not stored", async () => {
  const one = await newProgram()
  const body = `{"affiliate_url": "https://shop.example/?aff=${one.code}", "x": "\\u0000"}`
  await send("POST", CLICK, { body, headers: JSON_TYPE })
  const [{ clicks }] = await sql<[{ clicks: number }]>`
    select count(*) as clicks
    from tracking.affiliate_click_events
    where program_id = ${one.program_id}
  `
  expect(clicks).toBe(0)
})

import { beforeAll, describe, expect, test } from "bun:test"
import { freePort } from "../../../deploy/port"
import { httpClient, type Reply } from "../../support/http"
import { launch } from "../../support/launcher"
import { newOwner, newProgram, type Owner } from "../../support/program"
import { send, url } from "../../support/world"

const START_TIMEOUT_MS = 60_000
const PUBLIC_URL = "https://tributary.example"
const SIGN_IN = "/api/auth/sign-in"
const SIGN_OUT = "/api/auth/sign-out"
const PROGRAMS = "/api/advertiser/affiliate-programs"
const SCRIPTS = ["/service-tracker.js", "/js/service-tracker.js"]
const CLICK = "/api/v1/track/click"
const UNSAFE = { origin: "http://tributary.example", host: "tributary.example" }
const evil = { origin: "https://evil.example" }

describe("every reply has the security headers:", () => {
  test.each<[number, string, string, Parameters<typeof send>[2]]>([
    [200, "GET", "/healthz", {}],
    [200, "GET", "/status", {}],
    [400, "POST", SIGN_IN, { body: {} }],
    [401, "GET", "/api/auth/session", {}],
    [401, "GET", PROGRAMS, {}],
    [403, "GET", "/api/tracking/events/1", {}],
    [404, "GET", "/<script>", {}],
    [405, "GET", SIGN_IN, {}],
    [413, "POST", SIGN_IN, { body: " ".repeat(256 * 1024 + 1) }],
    [415, "POST", SIGN_IN, { body: "{}", headers: { "content-type": "text/html" } }],
  ])("%i: %s %s", async (status, method, path, sent) => {
    const reply = await send(method, path, sent)
    expect(reply.status).toBe(status)
    expect(securityHeadersOf(reply.headers)).toEqual({
      "content-type": expect.stringMatching(/^application\/json\b/),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
      "strict-transport-security": null, // the request came over http
    })
  })

  test("private replies are never cached", async () => {
    const { session: token } = await newOwner()
    for (const path of ["/api/auth/session", PROGRAMS]) {
      const { status, headers } = await send("GET", path, { token })
      expect(status).toBe(200)
      expect(headers.get("cache-control")).toBe("no-store")
    }
  })

  test("other sites may read tracking replies, which are never cached", async () => {
    for (const body of [{}, { affiliate_url: `${url}/?aff=${(await newProgram()).code}` }]) {
      const { headers } = await send("POST", CLICK, { body, headers: evil })
      expect(headers.get("access-control-allow-origin")).toBe("*")
      expect(headers.has("cross-origin-resource-policy")).toBe(false)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("cache-control")).toBe("no-store")
    }
  })

  test.each(SCRIPTS)("%s may be loaded and cached by every site", async path => {
    const { status, headers } = await send("GET", path)
    expect(status).toBe(200)
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin")
    expect(headers.get("cache-control")).toMatch(/^public, max-age=\d+$/)
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })
})

describe("with a session cookie", () => {
  let owner: Owner
  beforeAll(async () => {
    owner = await newOwner()
  })

  test.each([
    ["another site's page", evil],
    ["a sandboxed frame", { origin: "null" }],
    ["another site's page, by its fetch metadata", { "sec-fetch-site": "cross-site" }],
    ["a page of a sibling subdomain", { "sec-fetch-site": "same-site" }],
    ["another port of this host", { origin: "http://localhost:1" }],
    ["a request without an origin", {}],
  ])("403: %s can neither write nor sign out", async (_who, headers) => {
    const cookie = { cookie: `session=${owner.session}`, ...headers }
    const name = `Stolen ${crypto.randomUUID()}`
    for (const [path, body] of [
      [PROGRAMS, { name }],
      [SIGN_OUT, {}],
    ] as const) {
      expect((await send("POST", path, { body, headers: cookie })).status).toBe(403)
    }
    const { status, body } = await send("GET", PROGRAMS, { token: owner.session })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain(name)
  })

  test.each([
    ["its fetch metadata", () => ({ "sec-fetch-site": "same-origin" })],
    ["its origin", () => ({ origin: new URL(url).origin })],
  ])("a page of this origin may write, recognized by %s", async (_how, headers) => {
    const cookie = { cookie: `session=${owner.session}`, ...headers() }
    const reply = await send("POST", PROGRAMS, { body: { name: "Ours" }, headers: cookie })
    expect(reply.status).toBe(201)
  })
})

describe("another site's page cannot sign a visitor in:", () => {
  const account = () => ({
    email: `${crypto.randomUUID()}@example.com`,
    password: "correct horse battery",
  })
  const signInRoutes: [string, () => Promise<object>][] = [
    ["sign-up", async () => ({ ...account(), name: "Victim" })],
    ["sign-in", async () => newOwner()],
    ["accept-invitation", async () => ({ ...account(), token: "inv_1" })],
  ]
  const others = { "another origin": evil, "another site": { "sec-fetch-site": "cross-site" } }
  const rows = signInRoutes.flatMap(([path, body]) =>
    Object.entries(others).map(([where, headers]) => [path, where, headers, body] as const),
  )

  test.each(rows)("403: %s, from %s", async (path, _where, headers, body) => {
    const reply = await send("POST", `/api/auth/${path}`, { body: await body(), headers })
    expect(reply).toMatchObject({ status: 403, body: { error: expect.any(String) } })
    expect(reply.headers.has("set-cookie")).toBe(false)
  })

  test.each(signInRoutes)("415: %s by a form, which needs no preflight", async (path, body) => {
    const reply = await send("POST", `/api/auth/${path}`, {
      body: JSON.stringify(await body()),
      headers: { ...evil, "content-type": "text/plain" },
    })
    expect(reply.status).toBe(415)
    expect(reply.headers.has("set-cookie")).toBe(false)
  })

  test("a page of this origin may sign in, and so may clients that are not browsers", async () => {
    const { email, password } = await newOwner()
    const ours = { "sec-fetch-site": "same-origin", origin: new URL(url).origin }
    for (const headers of [undefined, ours]) {
      const { status } = await send("POST", SIGN_IN, { body: { email, password }, headers })
      expect(status).toBe(200)
    }
  })
})

describe("behind https", () => {
  const account = { email: "owner@example.com", password: "correct horse battery" }
  let call: (
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: object,
  ) => Promise<Reply>
  let token: string
  beforeAll(async () => {
    const PORT = String(await freePort())
    await (await launch({ PUBLIC_URL, PORT })).ready
    const request = httpClient(`http://localhost:${PORT}`)
    call = (method, path, headers, body) => request(method, path, { headers, body })
    const signed = await call("POST", "/api/auth/sign-up", {}, { ...account, name: "Owner" })
    token = signed.body.data.token
  }, START_TIMEOUT_MS)

  test.each(["/healthz", "/nowhere", CLICK, ...SCRIPTS])(
    "%s: browsers are kept on https",
    async path => {
      const { headers } = await call("GET", path)
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000")
    },
  )

  test("the cookie is limited to this host and to https", async () => {
    const signed = await call("POST", SIGN_IN, {}, account)
    const { data } = signed.body
    expect(signed.headers.getSetCookie()[1]).toMatch(
      /^__Host-device-\w{16}=.*; Path=\/; .*; Secure$/,
    )
    expect(attributesOf(signed.headers)).toEqual([
      `__Host-session=${data.token}`,
      "HttpOnly",
      "Max-Age=7776000",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ])
    const ended = await call("POST", SIGN_OUT, { authorization: `Bearer ${data.token}` })
    expect(attributesOf(ended.headers)).toEqual([
      "__Host-session=",
      "HttpOnly",
      "Max-Age=0",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ])
  })

  test.each([
    [201, "the request comes from the public address", "__Host-session", { origin: PUBLIC_URL }],
    [403, "the request comes from the public host without https", "__Host-session", UNSAFE],
    [403, "the request comes from another site", "__Host-session", evil],
    [401, "the cookie has no __Host- prefix", "session", { origin: PUBLIC_URL }],
  ])("%i: %s", async (status, _why, name, headers) => {
    const cookie = { cookie: `${name}=${token}`, ...headers }
    expect((await call("POST", PROGRAMS, cookie, { name: "Program" })).status).toBe(status)
  })
})

const securityHeadersOf = (headers: Headers) =>
  Object.fromEntries(
    [
      "content-type",
      "x-content-type-options",
      "referrer-policy",
      "content-security-policy",
      "cross-origin-resource-policy",
      "cache-control",
      "strict-transport-security",
    ].map(name => [name, headers.get(name)]),
  )

function attributesOf(headers: Headers): string[] {
  const [pair = "", ...attributes] = headers.getSetCookie()[0]?.split("; ") ?? []
  return [pair, ...attributes.sort()]
}

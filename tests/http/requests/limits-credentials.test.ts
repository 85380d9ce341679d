import { beforeAll, describe, expect, test } from "bun:test"
import { freePort } from "../../../deploy/port"
import { mintToken } from "../../../lib/token"
import { scrape, sum } from "../../support/metrics"
import { launchWithRateLimits, newAddress } from "../../support/rate-limits"

const START_TIMEOUT_MS = 60_000
const MAX = 10
const SALE = "/api/v1/track/sale"
const SESSION = "/api/auth/session"
const KEYS = "/api/advertiser/api-keys"
const PROGRAMS = "/api/advertiser/affiliate-programs"
const EVENTS = "/api/tracking/events/1"

let { send, countAllowed }: Awaited<ReturnType<typeof launchWithRateLimits>> = {} as never
let metrics_port: number
let session: string
let api_token: string

beforeAll(async () => {
  metrics_port = await freePort()
  ;({ send, countAllowed } = await launchWithRateLimits({
    METRICS_PORT: `${metrics_port}`,
    RATE_LIMIT_UNKNOWN_CREDENTIALS: `${MAX}/4s`,
    RATE_LIMIT_STATUS: "5/1h",
    TRUSTED_PROXIES: "127.0.0.1, ::1",
  }))
  const account = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }
  session = (await send("POST", "/api/auth/sign-up", { body: account })).body.data.token
  const created = await send("POST", PROGRAMS, { token: session, body: { name: "Program" } })
  api_token = created.body.data.api_token
}, START_TIMEOUT_MS)

type Call = (address: string) => ReturnType<typeof send>
const sale = (token: string) => (address: string) =>
  send("POST", SALE, { address, token, body: {} })
const read = (path: string, token: string) => (address: string) =>
  send("GET", path, { address, token })
const cookie = (value: string) => (address: string) =>
  send("GET", SESSION, { address, headers: { cookie: `session=${value}` } })
const mistyped = (token: string) => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")

/** How many credentials the gateway has looked up so far. */
async function lookups() {
  const samples = await scrape([metrics_port])
  const name = "tributary_bus_call_duration_seconds_count"
  return sum(samples, name, { subject: "identity.caller.find" })
}

/** Sends unknown credentials until the address is refused. */
async function exhaust(address: string) {
  while ((await sale(mintToken("aff_"))(address)).status !== 429);
}

describe("unknown and malformed credentials, of one address:", () => {
  test.each<[string, () => Call]>([
    ["unknown tracking tokens", () => address => sale(mintToken("aff_"))(address)],
    ["one unknown tracking token", () => sale(mintToken("aff_"))],
    ["unknown keys", () => address => read(KEYS, mintToken("affk_"))(address)],
    ["unknown sessions", () => address => read(SESSION, mintToken("affs_"))(address)],
    ["unknown sessions in a cookie", () => address => cookie(mintToken("affs_"))(address)],
    [
      "unknown sessions on the event list",
      () => address => read(EVENTS, mintToken("affs_"))(address),
    ],
    ["junk", () => sale("junk")],
    ["junk in a cookie", () => cookie("junk")],
    ["a token with a typing error", () => sale(mistyped(api_token))],
    ["a session on a tracking route", () => sale(session)],
  ])("429 beyond the limit, also for concurrent calls: %s", async (_kind, newCall) => {
    const [address, call] = [newAddress(), newCall()]
    const answers = await Promise.all(Array.from({ length: 2 * MAX }, () => call(address)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(MAX)
    for (const { headers, body } of refused) {
      expect(body).toEqual({ error: expect.any(String) })
      expect(headers.get("retry-after")).toMatch(/^[1-4]$/)
    }
  })

  test("then every call with a credential is refused until the window is over", async () => {
    const address = newAddress()
    expect((await sale(api_token)(address)).status).toBe(400)
    await exhaust(address)
    const calls = [
      sale(api_token),
      read(SESSION, session),
      read(PROGRAMS, session),
      cookie(session),
    ]
    for (const call of calls) expect((await call(address)).status).toBe(429)
    expect((await send("GET", "/healthz", { address, token: "junk" })).status).toBe(429)

    const refused = await sale(api_token)(address)
    expect(refused.status).toBe(429)
    await Bun.sleep(Number(refused.headers.get("retry-after")) * 1_000)
    expect((await sale(api_token)(address)).status).toBe(400)
  })

  test("calls without a credential, and other addresses, are not refused", async () => {
    const address = newAddress()
    await exhaust(address)
    expect((await send("GET", "/healthz", { address })).status).toBe(200)
    expect((await send("POST", "/api/v1/track/click", { address, body: {} })).status).toBe(400)
    expect((await send("POST", SALE, { address, body: {} })).status).toBe(401) // none is sent
    expect((await sale(api_token)(newAddress())).status).toBe(400)
  })

  test("beyond the limit no credential is looked up, and no body is read", async () => {
    const address = newAddress()
    await exhaust(address)
    const before = await lookups()
    const encoded = { "content-encoding": "gzip" }
    for (const token of [mintToken("affk_"), mintToken("affs_"), session]) {
      const options = { address, token, headers: encoded, body: "{}" }
      expect((await send("POST", PROGRAMS, options)).status).toBe(429)
    }
    expect(await lookups()).toBe(before)
    expect((await read(SESSION, session)(newAddress())).status).toBe(200)
    expect(await lookups()).toBeGreaterThan(before)
  })

  test("valid credentials use up nothing, however many calls come at once", async () => {
    const address = newAddress()
    const body = { name: "Another" }
    const created = await send("POST", PROGRAMS, { address, token: session, body })
    const fresh = sale(created.body.data.api_token)
    for (const call of [fresh, read(SESSION, session), read(`${PROGRAMS}/999`, session)]) {
      expect(await countAllowed(5 * MAX, () => call(address))).toBe(5 * MAX)
    }
    expect(await countAllowed(2 * MAX, () => sale(mintToken("aff_"))(address))).toBe(MAX)
  })

  test("a credential that ends counts from then on", async () => {
    const address = newAddress()
    const body = { email: "guest@example.com", password: "correct horse battery", name: "Guest" }
    const token = (await send("POST", "/api/auth/sign-up", { body })).body.data.token
    expect((await read(SESSION, token)(address)).status).toBe(200)
    expect((await send("POST", "/api/auth/sign-out", { address, token })).status).toBe(200)
    const answers = []
    for (let i = 0; i < MAX + 2; i++) answers.push((await read(SESSION, token)(address)).status)
    expect(answers).toEqual([...Array(MAX).fill(401), 429, 429])
  })
})

describe("/status, of one address:", () => {
  test("429: the limit is reached", async () => {
    const address = newAddress()
    const status = (from: string) => send("GET", "/status", { address: from })
    expect(await countAllowed(12, () => status(address))).toBe(5)
    const refused = await status(address)
    expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await status(newAddress())).status).toBe(200)
    expect((await send("GET", "/readyz", { address })).status).toBe(200)
  })
})

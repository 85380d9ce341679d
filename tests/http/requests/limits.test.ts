import { beforeAll, describe, expect, test } from "bun:test"
import { config } from "../../../lib/config"
import { mintToken } from "../../../lib/token"
import { launch } from "../../support/launcher"
import { launchWithRateLimits, newAddress } from "../../support/rate-limits"

const START_TIMEOUT_MS = 60_000
const LIMITS = {
  RATE_LIMIT_CLICKS: "10/1h",
  RATE_LIMIT_SIGN_UPS: "5/2s",
  RATE_LIMIT_SIGN_INS: "8/1h",
  RATE_LIMIT_SIGN_IN_FAILURES: "3/1h",
  RATE_LIMIT_ACCOUNT_FAILURES: "8/1h",
  RATE_LIMIT_CREDENTIALS: "20/1h",
  RATE_LIMIT_UNKNOWN_CREDENTIALS: "1000/1h", // limits-credentials.test.ts tests it
}
const CLICK = "/api/v1/track/click"
const LEAD = "/api/v1/track/lead"
const SALE = "/api/v1/track/sale"
const SESSION = "/api/auth/session"
const PASSWORD = "correct horse battery"

let { send, countAllowed }: Awaited<ReturnType<typeof launchWithRateLimits>> = {} as never
beforeAll(async () => {
  ;({ send, countAllowed } = await launchWithRateLimits({
    ...LIMITS,
    TRUSTED_PROXIES: "127.0.0.1, ::1",
  }))
}, START_TIMEOUT_MS)

const click = (address: string, sent: object = {}) =>
  send("POST", CLICK, { address, body: {}, ...sent })
const lead = (address: string, sent: object = {}) =>
  send("POST", LEAD, { address, body: {}, ...sent })
const unique = (() => {
  let count = 0
  return () => `user-${++count}@example.com`
})()
type Answer = Awaited<ReturnType<typeof send>>

const signUp = (address: string, fields: object = {}) => {
  const body = { email: unique(), password: PASSWORD, name: "Owner", ...fields }
  return send("POST", "/api/auth/sign-up", { address, body })
}
const signIn = (email: string, password: string, address = newAddress()) =>
  send("POST", "/api/auth/sign-in", { address, body: { email, password } })

/** Returns a function that gives another address of a new IPv6 /48 each time. */
function newNetwork() {
  const network = newAddress().replace("::1", "")
  let count = 0
  return () => `${network}:${(++count).toString(16)}::1`
}

/** Sends requests until one is refused. Returns the refusal. */
async function exhaust(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 10 }, call))
    const refused = answers.find(({ status }) => status === 429)
    if (refused) return refused
  }
}

/** Tries one password after the other, each from another address of one network. */
async function tryPasswords(email: string, passwords: string[], nextAddress = newNetwork()) {
  const answers: Answer[] = []
  for (const password of passwords) answers.push(await signIn(email, password, nextAddress()))
  return answers
}

async function newAccount() {
  const { data } = (await signUp(newAddress())).body
  return { email: data.user.email as string, session: data.token as string }
}

async function newToken() {
  const { session: token } = await newAccount()
  const body = { name: "Program" }
  return (await send("POST", "/api/advertiser/affiliate-programs", { token, body })).body.data
    .api_token as string
}

describe("clicks and leads without a token, of one address:", () => {
  test("429: the limit is reached, and the reply says when to retry", async () => {
    const address = newAddress()
    expect(await countAllowed(10, () => click(address))).toBe(10)
    const { status, headers, body } = await click(address)
    expect(status).toBe(429)
    expect(body).toEqual({ error: expect.any(String) })
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(3_600)
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("access-control-expose-headers")).toMatch(/retry-after/i)
  })

  test("concurrent requests do not exceed the limit", async () => {
    const address = newAddress()
    expect(await countAllowed(40, () => click(address))).toBe(10)
  })

  test("both count together, under all of their paths", async () => {
    const address = newAddress()
    const paths = [CLICK, LEAD, "/api/tracking/click", "/api/tracking/lead"]
    const call = (i: number) => send("POST", paths[i % 4]!, { address, body: {} })
    expect(await countAllowed(20, call)).toBe(10)
  })

  test("another address has a limit of its own", async () => {
    const address = newAddress()
    await countAllowed(11, () => click(address))
    expect((await click(newAddress())).status).toBe(400)
  })

  test("an IPv6 client is a /64, an IPv4 client is an address", async () => {
    const prefix = newAddress().replace("::1", "")
    expect(await countAllowed(20, i => click(`${prefix}:7::${i.toString(16)}:1`))).toBe(10)
    expect((await click(`${prefix}:8::1`)).status).toBe(400)
    expect(await countAllowed(20, i => click(`192.0.2.${i}`))).toBe(20)
    expect(await countAllowed(20, () => click("::ffff:198.51.100.1"))).toBe(10)
    expect((await click("198.51.100.1")).status).toBe(429)
  })

  test("addresses in front of the trusted proxy's own are ignored", async () => {
    const address = newAddress()
    expect(await countAllowed(20, i => click(`203.0.113.${i}, ${address}`))).toBe(10)
    expect(await countAllowed(20, i => click(`203.0.113.${i}, ${address}, 127.0.0.1`))).toBe(0)
  })

  test.each<[number, string, string, string, object]>([
    [404, "the path is unknown", "POST", "/api/v1/track/clicks", {}],
    [405, "another method", "PUT", CLICK, {}],
    [429, "the body is too large", "POST", CLICK, { body: " ".repeat(256 * 1024 + 1) }],
    [429, "the body is encoded", "POST", CLICK, { headers: { "content-encoding": "gzip" } }],
    [429, "the body is of another type", "POST", LEAD, { headers: { "content-type": "text/csv" } }],
    [401, "a wrong token is sent", "POST", LEAD, { token: "junk" }],
  ])("beyond the limit %i: %s", async (status, _why, method, path, sent) => {
    const address = newAddress()
    await countAllowed(11, () => click(address))
    expect((await send(method, path, { address, body: "{}", ...sent })).status).toBe(status)
  })

  test("other methods and paths are not counted", async () => {
    const address = newAddress()
    await countAllowed(10, () => send("GET", CLICK, { address }))
    await countAllowed(10, () => send("POST", "/api/v1/track/clicks", { address, body: {} }))
    expect((await click(address)).status).toBe(400)
  })

  test("leads with a valid token are not counted", async () => {
    const [address, token] = [newAddress(), await newToken()]
    await countAllowed(11, () => lead(address))
    expect((await lead(address, { token })).status).toBe(400)
  })

  test("an unknown token lifts no limit in test mode", async () => {
    const address = newAddress()
    const body = { additional_data: { test_mode: true } }
    expect(await countAllowed(20, () => lead(address, { token: mintToken("aff_"), body }))).toBe(10)
  })
})

describe("sign-up, of one address:", () => {
  test("429: too many tries, successful or not; allowed again after Retry-After", async () => {
    const address = newAddress()
    const refused = await exhaust(() => signUp(address, { password: "short" }))
    expect(refused.body).toEqual({ error: expect.any(String) })
    expect((await signUp(newAddress())).status).toBe(201)

    const seconds = Number(refused.headers.get("retry-after"))
    expect([1, 2]).toContain(seconds)
    await Bun.sleep(seconds * 1_000)
    expect((await signUp(address)).status).toBe(201)
  })
})

describe("sign-in:", () => {
  test("429: too many tries from an address, for any account", async () => {
    const { email } = await newAccount()
    const address = newAddress()
    expect(await countAllowed(8, () => signIn(unique(), "wrong", address))).toBe(8)
    expect((await signIn(email, PASSWORD, address)).status).toBe(429)
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  test("429: too many failures of an account from a network, even with its password", async () => {
    const { email } = await newAccount()
    const tries = ["wrong", "wrong", "wrong", "wrong", PASSWORD]
    const network = newNetwork()
    const known = await tryPasswords(email, tries, network)
    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect((await signIn(email.toUpperCase(), PASSWORD, network())).status).toBe(429)

    const unknown = await tryPasswords(unique(), tries)
    const replyOf = ({ status, body }: Answer) => [status, body.error.replace(/\d+/, "N")]
    // The replies are the same, so that they do not reveal who has an account.
    expect(unknown.map(replyOf)).toEqual(known.map(replyOf))
  })

  test("429: too many failures of an account through invitations", async () => {
    const { email } = await newAccount()
    const { data } = (await signUp(newAddress())).body
    const network = newNetwork()
    const guess = async (password: string) => {
      const path = `/api/workspaces/${data.workspace.id}/invitations`
      const invited = { token: data.token, body: { email, role: "analyst" } }
      const { token } = (await send("POST", path, invited)).body.data
      const sent = { address: network(), body: { token, password } }
      return (await send("POST", "/api/auth/accept-invitation", sent)).status
    }
    const tries = ["wrong", "wrong", "wrong", "wrong", PASSWORD]
    const statuses = []
    for (const password of tries) statuses.push(await guess(password))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect((await signIn(email, PASSWORD, network())).status).toBe(429)
  })

  test("existing sessions stay valid", async () => {
    const { email, session } = await newAccount()
    await tryPasswords(email, ["wrong", "wrong", "wrong", "wrong"])
    expect((await send("GET", SESSION, { token: session })).status).toBe(200)
  })

  test("concurrent sign-ins do not exceed the limit", async () => {
    const { email } = await newAccount()
    const network = newNetwork()
    expect(await countAllowed(12, () => signIn(email, "wrong", network()))).toBe(3)
    expect(await countAllowed(12, () => signIn(email, "wrong"))).toBe(5) // from all, 8
  })

  test("a success is not counted, and resets nothing", async () => {
    const { email } = await newAccount()
    const tries = [PASSWORD, "wrong", PASSWORD, PASSWORD, PASSWORD, "wrong", PASSWORD, "wrong"]
    const statuses = (await tryPasswords(email, [...tries, PASSWORD])).map(({ status }) => status)
    expect(statuses).toEqual([200, 401, 200, 200, 200, 401, 200, 401, 429])
  })

  test("a refused body is not counted", async () => {
    const { email } = await newAccount()
    const network = newNetwork()
    for (let i = 0; i < 5; i++) await signIn(email, 7 as never, network())
    expect((await signIn(email, PASSWORD, network())).status).toBe(200)
  })
})

describe("one credential:", () => {
  test.each([
    ["tracking token", newToken, "POST", SALE],
    ["session", async () => (await newAccount()).session, "GET", SESSION],
    ["unknown key", async () => mintToken("affk_"), "GET", "/api/advertiser/api-keys"],
  ])("a %s has a limit of its own", async (_kind, newCredential, method, path) => {
    const [token, other] = [await newCredential(), await newCredential()]
    const call = (token: string) => () => send(method, path, { token })
    await exhaust(call(token))
    expect((await call(other)()).status).not.toBe(429)
  })

  test("Bearer and cookie count together", async () => {
    const { session: token } = await newAccount()
    const ways = [{ token }, { headers: { cookie: `session=${token}` } }]
    expect(await countAllowed(40, i => send("GET", SESSION, ways[i % 2]))).toBe(20)
  })

  test("is refused beyond its limit before the body is read or the token is checked", async () => {
    const token = mintToken("aff_")
    const call = (headers = {}) => send("POST", SALE, { token, body: "{}", headers })
    const encoded = { "content-encoding": "gzip" }
    expect((await call()).status).toBe(401)
    expect((await call(encoded)).status).toBe(415)
    await exhaust(() => call(encoded))
  })

  test("a token with a wrong checksum uses up no limit of the right one", async () => {
    const token = await newToken()
    const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")
    const call = (token: string) => send("POST", SALE, { token, body: {} })
    expect(await countAllowed(60, () => call(mistyped))).toBe(60)
    expect((await call(token)).status).toBe(400)
  })
})

describe("settings:", () => {
  test("the limits have their documented defaults", () => {
    expect(config.rate_limit).toEqual({
      clicks: { calls: 100, seconds: 10 },
      sign_ups: { calls: 20, seconds: 3_600 },
      sign_ins: { calls: 20, seconds: 60 },
      sign_in_failures: { calls: 10, seconds: 900 },
      account_failures: { calls: 100, seconds: 900 },
      webhooks: { calls: 1_000, seconds: 10 },
      credentials: { calls: 2_000, seconds: 10 },
      unknown_credentials: { calls: 100, seconds: 10 },
      status: { calls: 60, seconds: 60 },
      public_programs: { calls: 300, seconds: 60 },
    })
    expect(config.reports_at_once_max).toBe(4)
  })

  test.each([
    ["RATE_LIMITS", "maybe"],
    ["RATE_LIMIT_CLICKS", "100"],
    ["RATE_LIMIT_CLICKS", "0/10s"],
    ["RATE_LIMIT_CLICKS", "100/0s"],
    ["RATE_LIMIT_SIGN_UPS", "-1/1h"],
    ["RATE_LIMIT_SIGN_INS", "20/1d"],
    ["RATE_LIMIT_SIGN_IN_FAILURES", "10/25h"],
    ["RATE_LIMIT_CREDENTIALS", "1e3/10s"],
    ["RATE_LIMIT_UNKNOWN_CREDENTIALS", "many"],
    ["RATE_LIMIT_STATUS", "60"],
    ["RATE_LIMIT_PUBLIC_PROGRAMS", "300"],
    ["RATE_LIMIT_REPORTS", "0"],
    ["REDIS_URL", "localhost:6379"],
  ])("%s=%s prevents the start with an error that names it", async (name, value) => {
    const launcher = await launch({ [name]: value })
    expect(await launcher.ended).toBe(1)
    expect(launcher.output()).toStartWith(`${name} must be`)
  })
})

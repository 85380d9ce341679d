import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { launchWithRateLimits, newAddress } from "../../support/rate-limits"

const START_TIMEOUT_MS = 60_000
const PASSWORD = "correct horse battery"
const NETWORK_MAX = 3
const ACCOUNT_MAX = 7

let { send, countAllowed, data_dir }: Awaited<ReturnType<typeof launchWithRateLimits>> = {} as never
beforeAll(async () => {
  ;({ send, countAllowed, data_dir } = await launchWithRateLimits({
    RATE_LIMIT_SIGN_IN_FAILURES: `${NETWORK_MAX}/1h`,
    RATE_LIMIT_ACCOUNT_FAILURES: `${ACCOUNT_MAX}/1h`,
    TRUSTED_PROXIES: "127.0.0.1, ::1",
  }))
}, START_TIMEOUT_MS)

let accounts = 0
type Options = { address?: string; device?: string }

/** Creates an account. Returns its address and the cookie of the device that signed up. */
async function newAccount() {
  const email = `known-${++accounts}@example.com`
  const body = { email, password: PASSWORD, name: "Owner" }
  const { headers } = await send("POST", "/api/auth/sign-up", { address: newAddress(), body })
  return { email, device: deviceIn(headers) }
}

/** The cookie that makes a device known, as a browser sends it back. Throws if there is none. */
function deviceIn(headers: Headers): string {
  const [cookie] = headers.getSetCookie().filter(text => text.startsWith("device-"))
  if (!cookie) throw new Error("No cookie of a known device is set.")
  return cookie.split(";")[0]!
}

function signIn(email: string, password: string, { address, device }: Options = {}) {
  const headers: Record<string, string> = device ? { cookie: device } : {}
  const body = { email, password }
  return send("POST", "/api/auth/sign-in", { address: address ?? newAddress(), headers, body })
}

/** Fails to sign in, so often that only known devices may still try. */
async function lock(email: string) {
  const failed = () => signIn(email, "a wrong password")
  expect(await countAllowed(ACCOUNT_MAX + 3, failed)).toBe(ACCOUNT_MAX)
}

describe("failed sign-ins", () => {
  test.each([
    ["IPv4 /24", (i: number) => `198.51.100.${i}`, "198.51.101.1"],
    ["IPv6 /48", (i: number) => `2001:db8:ffff:${i}::1`, "2001:db8:fffe::1"],
  ])("lock the network of an account: %s", async (_network, inside, outside) => {
    const { email } = await newAccount()
    const failed = (i: number) => signIn(email, "a wrong password", { address: inside(i) })
    expect(await countAllowed(8, failed)).toBe(NETWORK_MAX)
    const locked = await signIn(email, PASSWORD, { address: inside(99) })
    expect(locked).toMatchObject({ status: 429, body: { error: expect.any(String) } })
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await signIn(email, PASSWORD, { address: outside })).status).toBe(200)
  })

  test("lock no other account of the network", async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const address = newAddress()
    await countAllowed(8, () => signIn(one.email, "a wrong password", { address }))
    expect((await signIn(other.email, PASSWORD, { address })).status).toBe(200)
  })

  test("of all networks together lock the account, but no device that signed in before", async () => {
    const { email, device } = await newAccount()
    await lock(email)
    expect((await signIn(email, PASSWORD)).status).toBe(429)
    const known = await signIn(email, PASSWORD, { device })
    expect(known.status).toBe(200)
    const again = await signIn(email.toUpperCase(), PASSWORD, { device: deviceIn(known.headers) })
    expect(again.status).toBe(200)
  })

  test("of a known device are counted on their own, and lock that device only", async () => {
    const { email, device } = await newAccount()
    const second = deviceIn((await signIn(email, PASSWORD)).headers)
    const failed = () => signIn(email, "a wrong password", { device })
    expect(await countAllowed(8, failed)).toBe(NETWORK_MAX)
    expect((await signIn(email, PASSWORD, { device })).status).toBe(429)
    expect((await signIn(email, PASSWORD, { device: second })).status).toBe(200)
    await lock(email) // the failures of the device are not among these
  })
})

describe("the cookie of a known device", () => {
  test("is HttpOnly, lasts 400 days, and names neither the account nor the password", async () => {
    const { email } = await newAccount()
    const { headers } = await signIn(email, PASSWORD)
    const [cookie] = headers.getSetCookie().filter(text => text.startsWith("device-"))
    expect(cookie).toMatch(
      /^device-[0-9a-f]{16}=\d+\.[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    )
    expect(cookie).not.toContain(email.slice(0, 8))
  })

  test("is not set by a failure", async () => {
    const { email } = await newAccount()
    expect((await signIn(email, "a wrong password")).headers.getSetCookie()).toEqual([])
  })

  test.each<[string, (device: string, foreign: string) => string]>([
    [
      "with another signature",
      device => `${device.slice(0, -2)}${device.endsWith("A") ? "B" : "A"}A`,
    ],
    ["with another id", device => device.replace(/\.[\w-]{22}\./, `.${"A".repeat(22)}.`)],
    ["with another time", device => device.replace(/=\d+\./, `=${Date.now()}.`)],
    ["of another account", (device, foreign) => `${device.split("=")[0]}=${foreign.split("=")[1]}`],
    ["that is junk", device => `${device.split("=")[0]}=junk`],
    ["that is too long", device => `${device}${"A".repeat(1_000)}`],
  ])("counts for nothing %s", async (_why, forge) => {
    const [{ email, device }, foreign] = [await newAccount(), await newAccount()]
    await lock(email)
    const forged = forge(device, foreign.device)
    expect((await signIn(email, PASSWORD, { device: forged })).status).toBe(429)
    expect((await signIn(email, PASSWORD, { device })).status).toBe(200)
  })

  test("counts for nothing once the password has changed", async () => {
    const { email, device } = await newAccount()
    const { url } = await Bun.file(join(data_dir, "postgres.json")).json()
    const sql = postgres(url, { max: 1 })
    const password_hash = await Bun.password.hash("another long password")
    await sql`update identity.users set password_hash = ${password_hash} where email = ${email}`
    await sql.end()
    await lock(email)
    expect((await signIn(email, "another long password", { device })).status).toBe(429)
  })
})

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Redis } from "ioredis"
import { freePort } from "../../../deploy/port"
import { DIES_WITH_PARENT } from "../../../deploy/unprivileged"
import { mintToken } from "../../../lib/token"
import { launchWithRateLimits } from "../../support/rate-limits"

const TIMEOUT_MS = 60_000
const CALLS = 60
const LIMIT = 10
const hasServers = Boolean(Bun.which("redis-server") && Bun.which("nats-server"))

let port: number
let server: Bun.Subprocess
let redis: Redis
let { send, countAllowed }: Awaited<ReturnType<typeof launchWithRateLimits>> = {} as never

/** Sends CALLS requests with a new token. Returns how many were allowed. */
function countAllowedCalls() {
  const token = mintToken("aff_")
  return countAllowed(CALLS, () => send("POST", "/api/v1/track/sale", { token, body: {} }))
}

/** Waits until both gateways count in Redis: only then do they allow exactly the limit. */
async function waitForSharedLimit() {
  while ((await countAllowedCalls()) !== LIMIT) await Bun.sleep(100)
}

describe.skipIf(!hasServers)("two gateways and a Redis:", () => {
  beforeAll(async () => {
    port = await freePort()
    startRedis()
    redis = new Redis(port, { retryStrategy: () => 100, maxRetriesPerRequest: null })
    redis.on("error", () => {}) // it is stopped on purpose
    ;({ send, countAllowed } = await launchWithRateLimits({
      PROCESSES: "separate",
      REPLICAS: "2",
      REDIS_URL: `redis://127.0.0.1:${port}`,
      RATE_LIMIT_CLICKS: `${LIMIT}/1h`,
      RATE_LIMIT_CREDENTIALS: `${LIMIT}/1h`,
      RATE_LIMIT_UNKNOWN_CREDENTIALS: "1000000/1h",
    }))
  }, TIMEOUT_MS)

  afterAll(async () => {
    redis?.disconnect()
    server?.kill("SIGKILL")
    await server?.exited
  })

  test("count together", waitForSharedLimit, TIMEOUT_MS)

  test("ignore the client address that an untrusted caller sends", async () => {
    const click = (i: number) =>
      send("POST", "/api/v1/track/click", { address: `203.0.113.${i}`, body: {} })
    await countAllowed(2 * LIMIT, click)
    expect(await countAllowed(CALLS, click)).toBe(0)
  })

  test("store no address, e-mail address or token in Redis", async () => {
    await redis.flushall()
    const body = { email: "canary@example.com", password: "canary password" }
    expect((await send("POST", "/api/auth/sign-in", { body })).status).toBe(401)
    await countAllowedCalls()

    const keys = await redis.keys("*")
    const names = keys.map(key => key.split(":")[1])
    expect(names.sort()).toEqual([
      "account_failures",
      "credentials",
      "sign_in_failures",
      "sign_ins",
      "unknown_credentials",
    ])
    for (const key of keys) expect(key).toMatch(/^limit:\w+:[\w+/]{43}=$/)
    for (const value of await redis.mget(keys)) expect(value).toMatch(/^\d+$/)
  })

  test(
    "limit separately while Redis is frozen, then together again",
    async () => {
      server.kill("SIGSTOP")
      const count = await countAllowedCalls()
      server.kill("SIGCONT")
      expect(count).toBeGreaterThanOrEqual(LIMIT)
      expect(count).toBeLessThanOrEqual(2 * LIMIT)
      await waitForSharedLimit()
    },
    TIMEOUT_MS,
  )

  test(
    "limit separately while Redis is gone, then together again",
    async () => {
      server.kill("SIGKILL")
      await server.exited
      const count = await countAllowedCalls()
      expect(count).toBeGreaterThanOrEqual(LIMIT)
      expect(count).toBeLessThanOrEqual(2 * LIMIT)

      startRedis()
      await waitForSharedLimit()
    },
    TIMEOUT_MS,
  )
})

function startRedis() {
  const settings = ["--bind", "127.0.0.1", "--port", String(port), "--save", ""]
  server = Bun.spawn([...DIES_WITH_PARENT, "redis-server", ...settings], { stdout: "ignore" })
}

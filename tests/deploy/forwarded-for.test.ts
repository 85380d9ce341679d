import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { podOf } from "../../deploy/kubernetes/pods"
import { OVERLAYS } from "../../deploy/kubernetes/system"
import { launch } from "../support/launcher"

const START_TIMEOUT_MS = 60_000
const CLICKS = 5
const FORGED = "203.0.113." // addresses that the caller writes into the header

/** What TRUSTED_PROXIES says to the gateway of each overlay. */
const trusted = OVERLAYS.map(overlay => {
  const [gateway] = podOf("gateway", overlay, {}).containers
  return gateway!.env!.find(({ name }) => name === "TRUSTED_PROXIES")!.value!
})

test("TRUSTED_PROXIES of the Kubernetes overlays names the ingress only", () => {
  expect(trusted).toEqual(OVERLAYS.map(({ ingress }) => ingress))
  for (const name of trusted) expect(name).toMatch(/^[a-z-]+\.[a-z-]+\.svc$/) // one Service
})

describe("X-Forwarded-For, forged through the one proxy that is trusted,", () => {
  let proxied: (from: string, forged?: string) => Promise<number>
  let proxy: ReturnType<typeof Bun.serve>

  beforeAll(async () => {
    const environment = {
      TRUSTED_PROXIES: "localhost", // for the ingress, whose name only a cluster resolves
      RATE_LIMIT_CLICKS: `${CLICKS}/1m`,
    }
    const launcher = await launch({ RATE_LIMITS: "on", ...environment })
    const gateway = (await launcher.ready).replace("localhost", "127.0.0.1")
    proxy = startProxy(gateway)
    proxied = async (from, forged) => {
      const headers = { "x-client": from, ...(forged && { "x-forwarded-for": forged }) }
      const click = { method: "POST", headers, body: "{}" }
      return (await fetch(`${proxy.url}api/v1/track/click`, click)).status
    }
  }, START_TIMEOUT_MS)
  afterAll(() => proxy?.stop(true))

  test.each([
    ["a public client", "198.51.100.7"],
    ["a node that hides the client's address", "10.1.2.3"],
    ["a pod of the cluster", "172.16.9.9"],
    ["a private network", "192.168.7.7"],
  ])("by %s escapes no rate limit", async (_who, from) => {
    const statuses: number[] = []
    for (let i = 1; i <= CLICKS + 2; i++) statuses.push(await proxied(from, `${FORGED}${i}`))
    expect(statuses).toEqual([...Array(CLICKS).fill(400), 429, 429])
  })

  test("leaves the forged address with its own allowance, and tells callers apart", async () => {
    expect(await proxied(`${FORGED}1`)).toBe(400)
    expect(await proxied("198.51.100.8")).toBe(400)
  })
})

/** A reverse proxy like an ingress: it appends its client's address to X-Forwarded-For. */
const startProxy = (gateway: string) =>
  Bun.serve({
    port: 0,
    async fetch({ url, method, headers, body }) {
      const client = headers.get("x-client") ?? "" // where the connection came from
      const before = headers.get("x-forwarded-for")
      const forwarded = before ? `${before}, ${client}` : client
      const { pathname } = new URL(url)
      const { status } = await fetch(gateway + pathname, {
        method,
        headers: { "content-type": "application/json", "x-forwarded-for": forwarded },
        body,
      })
      return new Response(null, { status })
    },
  })

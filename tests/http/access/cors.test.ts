import { describe, expect, test } from "bun:test"
import { send } from "../../support/world"

const ORIGIN = { origin: "https://shop.example" }
const PREFLIGHT = {
  ...ORIGIN,
  "access-control-request-method": "POST",
  "access-control-request-headers": "content-type, authorization",
}

const CALLS = ["click", "lead", "sale", "refund"]
const OPEN = CALLS.flatMap(call => [`/api/v1/track/${call}`, `/api/tracking/${call}`])
const CLOSED = [
  "/api/tracking/events/1",
  "/api/tracking/performance/1",
  "/api/tracking/status/1",
  "/api/tracking/clicks",
  "/api/tracking/click/1",
  "/api/tracking",
  "/api/v1/tracking/click",
  "/api/advertiser/affiliate-programs",
  "/api/advertiser/affiliate-programs/1/referral-links",
  "/api/advertiser/api-keys",
  "/api/auth/sign-in",
  "/healthz",
  "/status",
]
const allowed = (headers: Headers) =>
  [...headers.keys()].filter(name => name.startsWith("access-control-allow"))

describe.each(OPEN)("%s", path => {
  test("may be called by the pages of any site, after a preflight", async () => {
    const { status, headers, body } = await send("OPTIONS", path, { headers: PREFLIGHT })
    expect({ status, body }).toEqual({ status: 204, body: "" })
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("access-control-allow-methods")).toBe("POST, OPTIONS")
    const names = headers.get("access-control-allow-headers")!.toLowerCase().split(/, */)
    expect(names.sort()).toEqual(["authorization", "content-type"])
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0)
    expect(headers.has("access-control-allow-credentials")).toBe(false)
  })

  test.each<[string, Parameters<typeof send>[2]]>([
    ["400 or 401", { body: {}, headers: ORIGIN }],
    ["415", { body: "{}", headers: { ...ORIGIN, "content-type": "text/csv" } }],
    [
      "413",
      { body: "x".repeat(256 * 1024 + 1), headers: { ...ORIGIN, "content-type": "text/plain" } },
    ],
  ])("lets the page read a refusal: %s", async (_statuses, sent) => {
    const { headers } = await send("POST", path, sent)
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("access-control-expose-headers")).toMatch(/x-request-id/i)
    expect(headers.has("access-control-allow-credentials")).toBe(false)
  })
})

describe.each(CLOSED)("%s", path => {
  test.each(["OPTIONS", "GET", "POST", "PUT"])("is closed to other origins: %s", async method => {
    const { headers } = await send(method, path, { headers: PREFLIGHT })
    expect(allowed(headers)).toEqual([])
  })
})

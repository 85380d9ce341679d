import { expect, test } from "bun:test"
import { judge } from "../../../services/delivery/deliveries/retries"

const outcome = (response_status: number | null, retry_after_seconds: number | null = null) => ({
  response_status,
  latency_ms: 1,
  error: response_status ? null : "The response took too long.",
  response_excerpt: null,
  retry_after_seconds,
})
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

test.each([200, 202, 204, 299])("%i is success", status => {
  expect(judge(outcome(status), 0)).toEqual({
    status: "delivered",
    wait_seconds: null,
    is_overloaded: false,
    is_gone: false,
  })
})

test.each([null, 100, 199, 300, 302, 400, 401, 404, 429, 500, 502, 503, 504])(
  "%p is tried again after each pause, give or take a fifth, then failed",
  status => {
    for (const [tries, pause] of PAUSES.entries()) {
      const { status: next, wait_seconds } = judge(outcome(status), tries)
      expect(next).toBe("pending")
      expect(wait_seconds).toBeGreaterThanOrEqual(pause * 0.8)
      expect(wait_seconds).toBeLessThanOrEqual(pause * 1.2)
    }
    expect(judge(outcome(status), PAUSES.length)).toMatchObject({
      status: "failed",
      wait_seconds: null,
    })
  },
)

test("pauses differ", () => {
  const pauses = Array.from({ length: 20 }, () => judge(outcome(500), 3).wait_seconds)
  expect(new Set(pauses).size).toBeGreaterThan(10)
})

test("Retry-After postpones, but never hastens", () => {
  expect(judge(outcome(503, 3_600), 0).wait_seconds).toBe(3_600)
  expect(judge(outcome(503, 1), 3).wait_seconds).toBeGreaterThan(5_000)
})

test.each([
  [429, true],
  [502, true],
  [504, true],
  [500, false],
  [503, false],
  [200, false],
  [null, false],
])("%p means an overloaded receiver: %p", (status, is_overloaded) => {
  expect(judge(outcome(status), 0).is_overloaded).toBe(is_overloaded)
})

test("410 is final", () => {
  expect(judge(outcome(410), 0)).toMatchObject({ status: "failed", is_gone: true })
})

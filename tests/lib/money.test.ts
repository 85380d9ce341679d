import { expect, test } from "bun:test"
import { decimal, isCurrency, major } from "../../lib/money"

test.each([
  [4_999, "USD", 49.99],
  [4_999, "JPY", 4_999],
  [4_999, "KWD", 4.999],
  [-5, "USD", -0.05],
  [0, "USD", 0],
  [Number.MAX_SAFE_INTEGER, "USD", 90071992547409.91],
  [10n ** 18n + 1n, "USD", 1e16],
  [-(10n ** 17n), "KWD", -1e14],
])("%i minor units of %s are %d", (cents, currency, expected) => {
  expect(major(cents, currency)).toBe(expected)
})

test.each([
  [1n, 3n, 2, 0.33],
  [2n, 3n, 2, 0.67],
  [1n, 8n, 2, 0.13], // half rounds away from zero
  [-1n, 8n, 2, -0.13],
  [-1n, 1_000n, 2, 0],
  [5n, 0n, 2, 0],
  [1_005n, 1_000n, 2, 1.01], // as a float, 1.005 is slightly less
])("%d / %d to %d digits is %d", (numerator, denominator, digits, expected) => {
  expect(decimal(numerator, denominator, digits)).toBe(expected)
})

test("currencies are upper-case ISO 4217 codes", () => {
  expect(["USD", "EUR", "JPY", "KWD"].every(isCurrency)).toBe(true)
  expect(["usd", "ZZZ", "", "US"].some(isCurrency)).toBe(false)
})

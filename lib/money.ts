const CURRENCIES = new Set(Intl.supportedValuesOf("currency"))

/** Whether this is an ISO 4217 code, in upper case. */
export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

const exponents = new Map<string, number>()

/** How many digits a currency has after the point: 2 for USD, 0 for JPY, 3 for KWD. */
export function exponentOf(currency: string): number {
  const known = exponents.get(currency)
  if (known !== undefined) return known

  const format = new Intl.NumberFormat("en", { style: "currency", currency }) // slow to make
  const exponent = format.resolvedOptions().maximumFractionDigits as number
  exponents.set(currency, exponent)
  return exponent
}

/** Minor units as the number that people read: 4999 cents of USD are 49.99. */
export function major(cents: number | bigint, currency: string): number {
  const digits = exponentOf(currency)
  // Both are exact, so their quotient is the nearest number there is.
  if (Number.isSafeInteger(Number(cents))) return Number(cents) / 10 ** digits
  return decimal(BigInt(cents), 10n ** BigInt(digits), digits)
}

/** The quotient of two integers, rounded half up (away from zero) to `digits` decimals. */
export function decimal(numerator: bigint, denominator: bigint, digits: number): number {
  if (denominator === 0n) return 0
  const scaled = 2n * abs(numerator) * 10n ** BigInt(digits) + abs(denominator)
  const rounded = scaled / (2n * abs(denominator))
  const text = rounded.toString().padStart(digits + 1, "0")
  const isNegative = numerator < 0n !== denominator < 0n && rounded > 0n
  const whole = text.slice(0, text.length - digits)
  return Number(`${isNegative ? "-" : ""}${whole}.${text.slice(text.length - digits)}0`)
}

const abs = (value: bigint) => (value < 0n ? -value : value)

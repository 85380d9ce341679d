const CURRENCIES = new Set(Intl.supportedValuesOf("currency"))

/** Whether `code` is an upper-case ISO 4217 code. */
export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

/** Every currency that amounts may have, by code, with its number of decimals. */
export const listCurrencies = () => {
  const names = new Intl.DisplayNames("en", { type: "currency" })
  return [...CURRENCIES].sort().map(code => ({
    code,
    exponent: exponentOf(code),
    name: names.of(code) ?? code,
  }))
}

const exponents = new Map<string, number>()

/** The number of decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function exponentOf(currency: string): number {
  const known = exponents.get(currency)
  if (known !== undefined) return known

  const format = new Intl.NumberFormat("en", { style: "currency", currency }) // slow to create
  const exponent = format.resolvedOptions().maximumFractionDigits as number
  exponents.set(currency, exponent)
  return exponent
}

/** Converts minor units to major units: 4999 cents of USD are 49.99. */
export function major(cents: number | bigint, currency: string): number {
  const digits = exponentOf(currency)
  // Both operands are exact, so the quotient is correctly rounded.
  if (Number.isSafeInteger(Number(cents))) return Number(cents) / 10 ** digits
  return decimal(BigInt(cents), 10n ** BigInt(digits), digits)
}

/** An amount in a sentence: "49.99 USD". */
export const amountText = (cents: number, currency: string): string =>
  `${majorText(cents, currency)} ${currency}`

/** The digits of an amount in major units: "49.99", "5000" for JPY. */
export function majorText(cents: number, currency: string): string {
  const digits = exponentOf(currency)
  const text = Math.abs(cents)
    .toString()
    .padStart(digits + 1, "0")
  const whole = text.slice(0, text.length - digits)
  const sign = cents < 0 ? "-" : ""
  return digits === 0 ? `${sign}${text}` : `${sign}${whole}.${text.slice(-digits)}`
}

/** Divides two integers, rounding half away from zero to `digits` decimals. x / 0 is 0. */
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

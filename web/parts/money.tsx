import { exponents } from "../constants"
import { LANGUAGE } from "../words/language"

const USUAL_EXPONENT = 2
const formats = new Map<number, Intl.NumberFormat>()

const SPACE = "\u00a0" // no line breaks between a number and its unit

const count = new Intl.NumberFormat(LANGUAGE)
const short = new Intl.NumberFormat(LANGUAGE, { notation: "compact", maximumFractionDigits: 1 })
const oneDecimal = new Intl.NumberFormat(LANGUAGE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const rate = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 })

/** An amount in minor units, with its currency. Null: "–". */
export function Money({ cents, currency }: { cents: number | null; currency: string }) {
  return <data value={cents ?? ""}>{moneyText(cents, currency)}</data>
}

/**
 * "16.32 USD", as the API's sentences have it. Decimals are those of our books (GET
 * /api/currencies): browsers have others for some currencies.
 */
export function moneyText(cents: number | null, currency: string): string {
  if (cents === null) return "–"
  const digits = exponents[currency] ?? USUAL_EXPONENT
  const whole = `${Math.abs(cents)}`.padStart(digits + 1, "0")
  const decimal = digits === 0 ? whole : `${whole.slice(0, -digits)}.${whole.slice(-digits)}`
  const signed = `${cents < 0 ? "-" : ""}${decimal}` as `${number}`
  return `${formatOf(digits).format(signed)}${SPACE}${currency}`
}

/** An amount in major units, as reports have them. */
export function majorText(amount: number, currency: string): string {
  const digits = exponents[currency] ?? USUAL_EXPONENT
  return `${formatOf(digits).format(amount)}${SPACE}${currency}`
}

function formatOf(digits: number): Intl.NumberFormat {
  let format = formats.get(digits)
  if (!format) {
    format = new Intl.NumberFormat(LANGUAGE, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(digits, format)
  }
  return format
}

/** The minor units of what a person typed in major units: "49.99" is 4999. Null: no such amount. */
export function centsOf(text: string, currency: string): number | null {
  const digits = exponents[currency] ?? USUAL_EXPONENT
  const [, whole, decimals = ""] = /^\s*(\d+)(?:[.,](\d*))?\s*$/.exec(text) ?? []
  if (whole === undefined || decimals.length > digits) return null
  return Number(`${whole}${decimals.padEnd(digits, "0")}`)
}

export const countText = (value: number): string => count.format(value)
/** 12.4K, for tiles and axes only. The full number belongs into the title. */
export const shortText = (value: number): string => short.format(value)
/** A rate in percent with one decimal: 3.2 is "3.2 %". */
export const percentText = (value: number): string => `${oneDecimal.format(value)}${SPACE}%`
/** A rate in basis points, with no more decimals than it has: 3000 is "30 %", 1250 is "12.5 %". */
export const rateText = (rate_bps: number): string => `${rate.format(rate_bps / 100)}${SPACE}%`

const DIGITS: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 }

/** An amount in major units, as replies have it. */
export const major = (cents: number, currency: string): number => Number(majorText(cents, currency))

/** An amount in major units with all its decimals. */
export function majorText(cents: number, currency: string): string {
  const digits = DIGITS[currency]!
  const text = String(Math.abs(cents)).padStart(digits + 1, "0")
  const sign = cents < 0 ? "-" : ""
  return digits ? `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}` : `${sign}${text}`
}

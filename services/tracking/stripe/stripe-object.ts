import { decimal, exponentOf, isCurrency } from "../../../lib/money"

// Readers of Stripe objects, for any API version. A value of an unexpected type counts as absent.

/** Returns the value at a path like `parent.subscription_details`. */
export const valueAt = (object: unknown, path: string): unknown =>
  path.split(".").reduce((value, name) => Object(value)[name], object)

export function listAt(object: unknown, path: string): unknown[] {
  const list = valueAt(object, path)
  return Array.isArray(list) ? list : []
}

/** Returns a string of 1–255 characters, the length of ids and names. */
export function textAt(object: unknown, path: string): string | undefined {
  const text = valueAt(object, path)
  return typeof text === "string" && /^[\s\S]{1,255}$/u.test(text) ? text : undefined
}

/** Returns an id from a field that holds the id or the whole object. */
export const idAt = (object: unknown, path: string): string | undefined =>
  textAt(object, path) ?? textAt(object, `${path}.id`)

/** Returns the id of the payment intent, or of the charge if an old payment has no intent. */
export const paymentAt = (object: unknown): string | undefined =>
  idAt(object, "payment_intent") ?? idAt(object, "charge")

export function currencyAt(object: unknown): string | undefined {
  const currency = textAt(object, "currency")?.toUpperCase()
  return currency && isCurrency(currency) ? currency : undefined
}

/** Returns a positive amount in the smallest unit of the currency according to ISO 4217. */
export function centsAt(
  object: unknown,
  path: string,
  currency = currencyAt(object),
): number | undefined {
  const amount = valueAt(object, path)
  if (!Number.isSafeInteger(amount) || !currency) return undefined

  const exponent = exponentOf(currency)
  const scaled = BigInt(amount as number) * 10n ** BigInt(exponent)
  const cents = decimal(scaled, 10n ** BigInt(EXPONENTS[currency] ?? exponent), 0)
  return cents > 0 && Number.isSafeInteger(cents) ? cents : undefined
}

/** Decimal places of currencies for which Stripe differs from ISO 4217. */
const EXPONENTS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 }

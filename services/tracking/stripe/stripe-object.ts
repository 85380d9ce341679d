import { decimal, exponentOf, isCurrency } from "../../../lib/money"

// What stands in an object of Stripe's, wherever its API version put it. Nothing is relied on:
// what is not of the type that is asked for counts as absent.

/** The value at a path like `parent.subscription_details`. */
export const at = (object: unknown, path: string): unknown =>
  path.split(".").reduce((value, name) => Object(value)[name], object)

export function listAt(object: unknown, path: string): unknown[] {
  const list = at(object, path)
  return Array.isArray(list) ? list : []
}

/** A text that may be an id or a name here. */
export function textAt(object: unknown, path: string): string | undefined {
  const text = at(object, path)
  return typeof text === "string" && /^[\s\S]{1,255}$/u.test(text) ? text : undefined
}

/** The id of a thing, which may stand there itself instead. */
export const idAt = (object: unknown, path: string): string | undefined =>
  textAt(object, path) ?? textAt(object, `${path}.id`)

/** The payment that is named: its intent, or of old ones without an intent the charge. */
export const paymentAt = (object: unknown): string | undefined =>
  idAt(object, "payment_intent") ?? idAt(object, "charge")

export function currencyAt(object: unknown): string | undefined {
  const currency = textAt(object, "currency")?.toUpperCase()
  return currency && isCurrency(currency) ? currency : undefined
}

/** A positive amount in the smallest unit of the currency, as ISO 4217 has it. */
export function centsAt(
  object: unknown,
  path: string,
  currency = currencyAt(object),
): number | undefined {
  const amount = at(object, path)
  if (!Number.isSafeInteger(amount) || !currency) return undefined

  const exponent = exponentOf(currency)
  const scaled = BigInt(amount as number) * 10n ** BigInt(exponent)
  const cents = decimal(scaled, 10n ** BigInt(EXPONENTS[currency] ?? exponent), 0)
  return cents > 0 && Number.isSafeInteger(cents) ? cents : undefined
}

/** Where Stripe counts in other units than ISO 4217. */
const EXPONENTS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 }

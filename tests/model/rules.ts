import { msOf } from "./moment"
import type { Commission, Customer, Group, Policy, Program, Terms } from "./state"

export const DAY_MS = 86_400_000

/** No round lasts longer, and no window or hold ends within one (clock.ts). */
export const ROUND_MS = 10 * 60_000

export type Rules = typeof RULES

/** The rules of the specification that a mutation may replace with wrong ones. */
const RULES = {
  /** A part of an amount, rounded half up to the minor unit. */
  share: (amount_cents: number, part: number, whole: number): number =>
    Number((2n * BigInt(amount_cents) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole))),

  isInWindow: ({ attribution: { click } }: Customer, now: number) =>
    now <= click.nominal + click.window_days * DAY_MS,

  /** Whether a click inside the window takes the customer over. */
  movesCustomer: ({ attribution_model }: Program, { attribution }: Customer) =>
    attribution_model === "last_click" && !attribution.isConverted,

  /** What a deduction gives back so that an unpaid commission does not take the balance below zero. */
  clamp: (balance_cents: number, deduction_cents: number) =>
    Math.min(deduction_cents, Math.max(0, deduction_cents - balance_cents)),

  isBound: ({ attribution }: Customer) => attribution.click.partner.status !== "removed",
}

export const rules: Rules = { ...RULES }

/** Wrong rules, each of which a run must detect. */
export const WRONG_RULES: Record<string, Partial<Rules>> = {
  "commissions are rounded down": {
    share: (amount_cents, part, whole) =>
      Number((BigInt(amount_cents) * BigInt(part)) / BigInt(whole)),
  },
  "the window never ends": { isInWindow: () => true },
  "the first click always stays": { movesCustomer: () => false },
  "deductions are never clamped": { clamp: () => 0 },
}

/** The policy in force: of those that have begun, the one that began last. */
export function policyOf({ policies }: Group, now: number): Policy {
  const begun = policies.filter(({ effective_from }) => !(msOf(effective_from) > now + ROUND_MS))
  return begun.at(-1)!
}

export function earned(
  policy: Policy,
  sale: { amount_cents: number; currency: string; product_id: string | null },
  program: Program,
): { amount_cents: number; currency: string } {
  const product = policy.products.find(({ product_id }) => product_id === sale.product_id)
  const terms: Terms = product ?? policy
  return terms.kind === "fixed"
    ? { amount_cents: terms.amount_cents, currency: program.currency }
    : {
        amount_cents: rules.share(sale.amount_cents, terms.rate_bps, 10_000),
        currency: sale.currency,
      }
}

export function addMonths(ms: number, months: number): number {
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

/** Writes a line of the ledger. */
export function book(commission: Commission, kind: string, amount_cents: number) {
  const { partner, currency } = commission
  partner.entries.push({ kind, currency, amount_cents, commission })
  partner.balances.set(currency, (partner.balances.get(currency) ?? 0) + amount_cents)
}

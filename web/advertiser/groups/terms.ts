import type { Answer } from "../../client"
import { moneyText, rateText } from "../../parts/money"
import { words } from "../../words/en/groups"

export type Policy = Answer<"listPolicies">["data"][number]
type Price = { kind: "percent"; rate_bps: number } | { kind: "fixed"; amount_cents: number }

/** "30 % of each sale". */
export const priceText = (price: Price, currency: string): string =>
  price.kind === "percent"
    ? words.percent(rateText(price.rate_bps))
    : words.fixed(moneyText(price.amount_cents, currency))

export const renewalsText = (months: number | null): string =>
  months === null ? words.lifetime : months === 0 ? words.firstOnly : words.months(months)

export const approvalText = (isAutomatic: boolean): string =>
  isAutomatic ? words.automatic : words.manual

export type Period = { policy: Policy; from: string; until: string | null; state: State }
type State = "planned" | "inForce" | "past" | "skipped"

/**
 * When each version holds: from its own start until the start of a later version. A version that a
 * later one overtakes before its start never holds. `hasLater`: of those on an earlier page, it is not
 * known when they began.
 */
export function periodsOf(versions: Policy[], hasLater: boolean, now = Date.now()): Period[] {
  let next: string | null = null // the earliest start among later versions
  const periods: Period[] = []
  for (const policy of versions.toSorted((one, other) => other.version - one.version)) {
    const from = policy.effective_from
    const until: string | null = next
    const isOvertaken = until !== null && until <= from
    const isPlanned = Date.parse(from) > now
    const isPast = until === null ? hasLater : Date.parse(until) <= now
    const state = isOvertaken ? "skipped" : isPlanned ? "planned" : isPast ? "past" : "inForce"
    periods.push({ policy, from, until, state })
    if (!isOvertaken) next = from
  }
  return periods
}

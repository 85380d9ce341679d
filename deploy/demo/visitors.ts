import type { Random } from "../../lib/random"
import { HISTORY_DAYS, PARTNERS, type PartnerRole, WINDOW_DAYS } from "./cast"
import { AGENTS, MEMBERSHIP, PLACES, PRODUCTS } from "./shop"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The share of a day's visits by weekday, from Sunday on. */
const WEEK = [0.8, 1.1, 1.15, 1.1, 1.05, 0.95, 0.75]
const RETURN_RATE = 0.22
const OTHER_PARTNER_RATE = 0.3 // of those who return
const PURCHASE_RATE = 0.42
const LATE_RATE = 0.05 // of purchases, after the attribution window
const MEMBERSHIP_RATE = 0.18
const REORDER_RATE = 0.18
const CANCELLATION_RATE = 0.12 // of a membership, each month
const LAST_MINUTES_MS = 10 * MINUTE_MS // stay free: events of today must not lie in the future

export type Visit = {
  at: number
  partner: PartnerRole
  code: string
  referrer_url: string | null
  sub_id: string | null
  product: (typeof PRODUCTS)[number]
}
export type Purchase = {
  at: number
  visit: Visit
  product: { id: string; amount_cents: number }
  amount_cents: number
  converts: boolean
  is_attributed: boolean
  renews: Purchase | null
}
export type Visitor = {
  visits: Visit[] // the last one earns the commission
  place: (typeof PLACES)[keyof typeof PLACES]
  agent: (typeof AGENTS)[keyof typeof AGENTS]
  signed_up_at: number | null
  purchases: Purchase[]
}

/** Returns the visitors of 90 days, with what each did. The same seed and time give the same. */
export function visitorsOf(random: Random, now: number): Visitor[] {
  const today = now - (now % DAY_MS)
  const visitors: Visitor[] = []
  for (let day = HISTORY_DAYS; day >= 0; day--) {
    for (const partner of PARTNERS.filter(partner => isActive(partner, day))) {
      const start = today - day * DAY_MS
      const growth = 1.5 - day / HISTORY_DAYS
      const weekday = WEEK[new Date(start).getUTCDay()]!
      const expected = partner.visits_a_day * growth * weekday * (0.6 + 0.8 * random.fraction())
      for (let visits = Math.floor(expected + random.fraction()); visits > 0; visits--) {
        const at = start + hourOf(random) * HOUR_MS
        if (at < now - LAST_MINUTES_MS) visitors.push(visitorOf(random, partner, at, now))
      }
    }
  }
  return visitors
}

const isActive = ({ joined_days_ago, suspended_days_ago }: PartnerRole, day: number) =>
  day < joined_days_ago && day > (suspended_days_ago ?? -1)

/** An hour of the day, most often in the afternoon and never exactly full. */
const hourOf = (random: Random) =>
  (24 + 15 + 9 * (random.fraction() + random.fraction() + random.fraction() - 1.5)) % 24

function visitorOf(random: Random, partner: PartnerRole, at: number, now: number): Visitor {
  const visits = [visitTo(random, partner, at)]
  const again = at + Math.floor((0.2 + 6 * random.fraction()) * DAY_MS)
  if (random.happens(RETURN_RATE) && again < now - LAST_MINUTES_MS) {
    const day = Math.ceil((now - again) / DAY_MS)
    const other = random.pick(PARTNERS.filter(each => isActive(each, day)))
    const next = random.happens(OTHER_PARTNER_RATE) ? other : partner
    if (isActive(next, day)) visits.push(visitTo(random, next, again))
  }
  const place = PLACES[random.pick(partner.places)]
  const agent = AGENTS[random.pick(partner.agents)]
  return { visits, place, agent, ...deedsOf(random, visits.at(-1)!, now) }
}

const visitTo = (random: Random, partner: PartnerRole, at: number): Visit => ({
  at: Math.floor(at),
  partner,
  code: random.pick(partner.codes),
  referrer_url: random.pick(partner.referrers),
  sub_id: random.pick(partner.sub_ids),
  product: random.pick(PRODUCTS),
})

/** Whether a visitor signed up after their last visit, and what they bought then. */
function deedsOf(random: Random, visit: Visit, now: number) {
  const minutes = (least: number, most: number) =>
    Math.floor((least + (most - least) * random.fraction()) * MINUTE_MS)
  const isPast = (at: number) => at < now - MINUTE_MS

  const signed_up_at = visit.at + minutes(1, 9)
  if (!random.happens(visit.partner.sign_up_rate) || !isPast(signed_up_at)) {
    return { signed_up_at: null, purchases: [] }
  }
  if (!random.happens(PURCHASE_RATE)) return { signed_up_at, purchases: [] }

  const isLate = random.happens(LATE_RATE)
  const delay = isLate
    ? Math.floor((WINDOW_DAYS + 1 + 9 * random.fraction()) * DAY_MS)
    : random.happens(0.7)
      ? minutes(2, 30)
      : Math.floor(6 * random.fraction() * DAY_MS)
  const isMember = !isLate && random.happens(MEMBERSHIP_RATE)
  const product = isMember ? MEMBERSHIP : visit.product
  const first: Purchase = {
    at: signed_up_at + delay,
    visit,
    product,
    amount_cents: product.amount_cents,
    converts: true,
    is_attributed: !isLate,
    renews: null,
  }
  const later = isMember ? renewalsOf(random, first, now) : reordersOf(random, first)
  return { signed_up_at, purchases: [first, ...later].filter(({ at }) => isPast(at)) }
}

function renewalsOf(random: Random, first: Purchase, now: number): Purchase[] {
  const renewals: Purchase[] = []
  for (let at = first.at + 30 * DAY_MS; at < now; at += 30 * DAY_MS) {
    if (random.happens(CANCELLATION_RATE)) break
    renewals.push({ ...first, at, converts: false, renews: first })
  }
  return renewals
}

function reordersOf(random: Random, first: Purchase): Purchase[] {
  if (!random.happens(REORDER_RATE)) return []
  const product = random.pick(PRODUCTS)
  const at = first.at + Math.floor((4 + 40 * random.fraction()) * DAY_MS)
  const is_attributed = at <= first.visit.at + WINDOW_DAYS * DAY_MS
  const { amount_cents } = product
  return [{ ...first, at, product, amount_cents, converts: false, is_attributed }]
}

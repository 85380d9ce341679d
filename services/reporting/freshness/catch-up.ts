import { catchingUp } from "../../../lib/feeds/catch-up"
import type { Reached } from "../../../lib/feeds/cursors"
import { type Source, sourceOf } from "../../../lib/feeds/source"
import { readFeeds as readCommissions } from "../../commissions/contract"
import { readFeeds as readTracking } from "../../tracking/contract"
import { sql } from "../db"
import { clicks } from "../feeds/clicks"
import { commissions } from "../feeds/commissions"
import { erasures } from "../feeds/erasures"
import { leads } from "../feeds/leads"
import { partners } from "../feeds/partners"
import { sales } from "../feeds/sales"
import { dropped_clicks } from "../retention/dropped-clicks"

const of_tracking = sourceOf(readTracking, { leads, sales, erasures, dropped_clicks, clicks })
const of_commissions = sourceOf(readCommissions, { partners, commissions })

/** Of whom the list of events is made. */
export const OF_EVENTS = [of_tracking]
export const OF_ALL = [of_tracking, of_commissions]

const reader = catchingUp("reporting", sql, OF_ALL)
export const { keepCaughtUp } = reader

/** `reached` null: it did not come about. `now`: by an owner's clock, or else the database's. */
export type CaughtUp = { reached: Reached | null; now: string }

/** Catches up. The look at the feeds tells the time; where it does not, the database is asked. */
export async function catchUp(sources: Source[]): Promise<CaughtUp> {
  const reached = await reader.catchUp(sources)
  if (reached?.looked_at) return { reached, now: reached.looked_at }

  const [{ now }] = await sql<[{ now: string }]>`select now()`
  return { reached, now }
}

import { catchingUp } from "../../lib/catch-up"
import { clicks } from "./clicks"
import { commissions } from "./commissions"
import { sql } from "./db"
import { dropped_clicks } from "./dropped-clicks"
import { erasures } from "./erasures"
import { leads } from "./leads"
import { partners } from "./partners"
import { sales } from "./sales"

/** What the list of events is made from. */
export const EVENT_FEEDS = [clicks, leads, sales, erasures, dropped_clicks]
export const ALL_FEEDS = [...EVENT_FEEDS, partners, commissions]

export const { catchUp, keepCaughtUp } = catchingUp("reporting", sql, ALL_FEEDS)

import { catchingUp } from "../../lib/catch-up"
import { clicks } from "./clicks"
import { commissions } from "./commissions"
import { sql } from "./db"
import { erasures } from "./erasures"
import { leads } from "./leads"
import { partners } from "./partners"
import { sales } from "./sales"

/** What the list of events is made from. */
export const EVENT_FEEDS = [clicks, leads, sales, erasures]
export const ALL_FEEDS = [...EVENT_FEEDS, partners, commissions]

export const { catchUp, keepCaughtUp } = catchingUp(sql, ALL_FEEDS)

import { catchingUp } from "../../lib/catch-up"
import { sourceOf } from "../../lib/source"
import { readFeeds as readCommissions } from "../commissions/contract"
import { readFeeds as readTracking } from "../tracking/contract"
import { clicks } from "./clicks"
import { commissions } from "./commissions"
import { sql } from "./db"
import { dropped_clicks } from "./dropped-clicks"
import { erasures } from "./erasures"
import { leads } from "./leads"
import { partners } from "./partners"
import { sales } from "./sales"

const of_tracking = sourceOf(readTracking, { leads, sales, erasures, dropped_clicks, clicks })
const of_commissions = sourceOf(readCommissions, { partners, commissions })

/** Of whom the list of events is made. */
export const OF_EVENTS = [of_tracking]
export const OF_ALL = [of_tracking, of_commissions]

export const { catchUp, keepCaughtUp } = catchingUp("reporting", sql, OF_ALL)

import { sourceOf } from "../../lib/feeds/source"
import { readFeeds as readCommissions } from "../commissions/contract"
import { readFeeds as readTracking } from "../tracking/contract"
import { clicks } from "./feeds/clicks"
import { commissions } from "./feeds/commissions"
import { erasures } from "./feeds/erasures"
import { leads } from "./feeds/leads"
import { partners } from "./feeds/partners"
import { sales } from "./feeds/sales"
import { droppedClicks } from "./retention/dropped-clicks"

const tracking = sourceOf(readTracking, {
  leads,
  sales,
  erasures,
  dropped_clicks: droppedClicks,
  clicks,
})
const commissionsService = sourceOf(readCommissions, { partners, commissions })

/** The services whose feeds the list of events is built from. */
export const EVENT_SOURCES = [tracking]

/** All services whose feeds reporting reads. */
export const ALL_SOURCES = [tracking, commissionsService]

import { feedsOf } from "../../lib/feeds/feed"
import { healthOf } from "../../lib/health"
import { referencesOf } from "../../lib/neighbours"
import { outgoingEventsOf } from "../../lib/outgoing-events"
import { entriesOf } from "../../lib/record-change"
import { ClickRow, DroppedClicksRow } from "./clicks/contract"
import { ErasureRow } from "./customers/contract"
import { LeadRow } from "./leads/contract"
import { SaleRow } from "./sales/contract"

/** The next rows of the feeds of this service, without test rows (lib/feeds/feed.ts). */
export const readFeeds = feedsOf("tracking.feed.read", {
  clicks: ClickRow,
  leads: LeadRow,
  sales: SaleRow,
  erasures: ErasureRow,
  dropped_clicks: DroppedClicksRow,
})

/** The audit log entries of this service, which identity collects. */
export const feedAuditEntries = entriesOf("tracking")

/** The outgoing events of this service, which delivery sends. */
export const feedOutgoingEvents = outgoingEventsOf("tracking")

export const showReferences = referencesOf("tracking", ["programs", "partners", "commissions"])

export const showHealth = healthOf("tracking")

export { StatedProgram } from "./additional-data"
export * from "./books/contract"
export * from "./calls/contract"
export * from "./clicks/contract"
export * from "./customers/contract"
export * from "./decisions/contract"
export * from "./leads/contract"
export * from "./links/contract"
export * from "./origins/contract"
export * from "./partner-sales/contract"
export * from "./partners/contract"
export * from "./programs/contract"
export * from "./sales/contract"
export * from "./stripe/contract"
export * from "./test-mode/contract"

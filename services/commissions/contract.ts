import { feedsOf } from "../../lib/feeds/feed"
import { healthOf } from "../../lib/health"
import { referencesOf } from "../../lib/neighbours"
import { outgoingEventsOf } from "../../lib/outgoing-events"
import { entriesOf } from "../../lib/record-change"
import { CommissionRow } from "./commissions/contract"
import { PartnerRow } from "./partners/contract"

/** The next rows of the feeds of this service (lib/feeds/feed.ts). */
export const readFeeds = feedsOf("commissions.feed.read", {
  partners: PartnerRow,
  commissions: CommissionRow,
})

/** The audit log entries of this service, which identity collects. */
export const feedAuditEntries = entriesOf("commissions")

/** The outgoing events of this service, which delivery sends. */
export const feedOutgoingEvents = outgoingEventsOf("commissions")

export const showReferences = referencesOf("commissions", [
  "programs",
  "workspaces",
  "accounts",
  "sales",
])

export const showHealth = healthOf("commissions")

export * from "./books/contract"
export * from "./commissions/contract"
export * from "./decisions/contract"
export * from "./groups/contract"
export * from "./joined-programs/contract"
export * from "./ledger/contract"
export * from "./notifications/contract"
export * from "./partners/contract"
export * from "./programs/contract"
export * from "./review/contract"
export * from "./settlements/contract"

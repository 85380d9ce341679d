import { feedsOf } from "../../lib/feeds/feed"
import { healthOf } from "../../lib/health"
import { feedTotalsOf, reconcileOf } from "../../lib/reconcile"
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

export const reconcile = reconcileOf("commissions")

export const totalFeeds = feedTotalsOf("commissions")

export const showHealth = healthOf("commissions")

export * from "./commissions/contract"
export * from "./groups/contract"
export * from "./notifications/contract"
export * from "./partners/contract"
export * from "./programs/contract"

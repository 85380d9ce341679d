import { Type } from "@sinclair/typebox"
import { operation } from "../../lib/bus/operation"
import { Nullable } from "../../lib/fields"
import { healthOf } from "../../lib/health"
import { FeedTotal, reconcileOf } from "../../lib/reconcile"

export const reconcile = reconcileOf("reporting")

/**
 * Returns the totals of all feeds as applied here, for the next `limit` programs after `after_id`,
 * and how far each feed is read: `done`, a snapshot as in lib/feeds/feed.ts; null: the feed was
 * never read, or is being read now.
 */
export const totalFeeds = operation("reporting.feed.total", {
  request: Type.Object({ after_id: Type.Integer(), limit: Type.Integer() }),
  reply: Type.Object({
    totals: Type.Array(FeedTotal),
    cursors: Type.Array(Type.Object({ feed: Type.String(), done: Nullable(Type.String()) })),
  }),
})

export const showHealth = healthOf("reporting")

export * from "./breakdown/contract"
export * from "./events/contract"
export * from "./freshness/contract"
export * from "./performance/contract"
export * from "./periods/contract"

import { Type } from "@sinclair/typebox"
import { operation } from "../../lib/bus/operation"
import { Nullable } from "../../lib/fields"
import { healthOf } from "../../lib/health"
import { FeedTotal, reconcileOf } from "../../lib/reconcile"

export const reconcile = reconcileOf("reporting")

/**
 * The totals of all feeds for so many programs from `after_id` on. `done` is how far each has been
 * read, as lib/feeds/feed.ts says it; null: it is being read right now, or has never been.
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

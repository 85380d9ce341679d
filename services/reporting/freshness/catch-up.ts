import { followFeeds } from "../../../lib/feeds/catch-up"
import type { CatchUpResult } from "../../../lib/feeds/cursors"
import type { Source } from "../../../lib/feeds/source"
import { sql } from "../db"
import { ALL_SOURCES } from "../sources"

const reader = followFeeds("reporting", sql, ALL_SOURCES)
export const { keepCaughtUp, findProblems } = reader

/**
 * `reached` null: the catch-up failed or took too long.
 * `now`: the time by an owner's clock, or else by the database's.
 */
export type CaughtUp = { reached: CatchUpResult | null; now: string }

/** Applies what these sources have committed. Returns how far they are applied, and the time. */
export async function catchUp(sources: Source[]): Promise<CaughtUp> {
  const reached = await reader.catchUp(sources)
  if (reached?.checkedAt) return { reached, now: reached.checkedAt } // saves a query for the time

  const [{ now }] = await sql<[{ now: string }]>`select now()`
  return { reached, now }
}

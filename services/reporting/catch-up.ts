import { newErrand, onErrand } from "../../lib/errand"
import { asFault } from "../../lib/fault"
import { log } from "../../lib/log"
import { every } from "../../lib/timer"
import { clicks } from "./clicks"
import { commissions } from "./commissions"
import { cursorOf, take } from "./cursors"
import type { Feed } from "./feed"
import { leads } from "./leads"
import { partners } from "./partners"
import { sales } from "./sales"

const BOUND_MS = 1_000
const PAUSE_MS = 500

/** What the list of events is made from. */
export const EVENT_FEEDS = [clicks, leads, sales]
export const ALL_FEEDS = [...EVENT_FEEDS, partners, commissions]

/**
 * Applies whatever the owners of these feeds had answered when this was called. False if that did
 * not come about: an owner is away, or has too much to tell.
 */
export function catchUp(feeds: Feed[]): Promise<boolean> {
  return Promise.race([
    Promise.all(feeds.map(nextRun)).then(
      () => true,
      () => false,
    ),
    Bun.sleep(BOUND_MS).then(() => false),
  ])
}

/** Catches up all the time, so that those who ask have little to wait for. */
export function keepCaughtUp() {
  const stops = ALL_FEEDS.map(feed =>
    every(PAUSE_MS, `Catching up with ${feed.name}`, () => nextRun(feed).catch(() => {})),
  )
  return () => Promise.all(stops.map(stop => stop()))
}

type Runs = { running: Promise<void>; next: Promise<void> | null }
const runs = new Map<Feed, Runs>(
  ALL_FEEDS.map(feed => [feed, { running: Promise.resolve(), next: null }]),
)

/**
 * The run after the one under way, which may have looked before the caller's event was there.
 * Whoever comes until it starts shares it.
 */
function nextRun(feed: Feed): Promise<void> {
  const of = runs.get(feed) as Runs
  of.next ??= of.running
    .catch(() => {}) // whoever waited for it has heard
    .then(() => {
      of.next = null
      of.running = onErrand(newErrand(), () => run(feed)) // not on one caller's errand
      return of.running
    })
  return of.next
}

async function run(feed: Feed) {
  try {
    await drain(feed)
  } catch (err) {
    const isAway = asFault(err).kind === "unavailable" // which its own log and /status tell
    if (!isAway) log.error({ err, feed: feed.name }, "A feed could not be applied.")
    throw err
  }
}

/** Reads to a target that was taken after the start. */
async function drain(feed: Feed) {
  for (let isOurTarget = false; ; ) {
    const from = await cursorOf(feed)
    const batch = await feed.read(from)
    if (!(await take(feed, from, batch))) continue

    isOurTarget ||= !from?.target // else the one that an earlier run was on its way to
    if (batch.is_drained && isOurTarget) return
  }
}

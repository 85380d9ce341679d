import { Gauge } from "prom-client"
import { cursorOf, type Feed, take } from "./cursors"
import type { Database } from "./db"
import { newErrand, onErrand } from "./errand"
import { asFault } from "./fault"
import { log } from "./log"
import { every } from "./timer"

const BOUND_MS = 1_000

const followed: { labels: { reader: string; feed: string }; progress: Progress }[] = []

new Gauge({
  name: "tributary_feed_lag_seconds",
  help: "The age of the last look at a feed of which all has been applied.",
  labelNames: ["reader", "feed"],
  collect() {
    for (const { labels, progress } of followed) this.set(labels, ageOf(progress) / 1_000)
  },
})

/** Applies feeds to the tables of `sql`, in which `cursors` says how far each has been read. */
export function catchingUp(reader: string, sql: Database, all: Feed[]) {
  const reached_ms = performance.now()
  const progressOf = new Map<Feed, Progress>(
    all.map(feed => [feed, { running: Promise.resolve(), next: null, reached_ms }]),
  )
  for (const [{ name }, progress] of progressOf) {
    followed.push({ labels: { reader, feed: name }, progress })
  }

  /**
   * Applies whatever the owners of these feeds had answered when this was called. False if that did
   * not come about: an owner is away, or has too much to tell.
   */
  function catchUp(feeds: Feed[]): Promise<boolean> {
    return Promise.race([
      Promise.all(feeds.map(nextRun)).then(
        () => true,
        () => false,
      ),
      Bun.sleep(BOUND_MS).then(() => false),
    ])
  }

  /** Catches up all the time, so that those who ask have little to wait for. */
  function keepCaughtUp(pause_ms: number) {
    const stops = all.map(feed =>
      every(pause_ms, `Catching up with ${feed.name}`, () => nextRun(feed).catch(() => {})),
    )
    return () => Promise.all(stops.map(stop => stop()))
  }

  /**
   * The run after the one under way, which may have looked before the caller's event was there.
   * Whoever comes until it starts shares it.
   */
  function nextRun(feed: Feed): Promise<void> {
    const progress = progressOf.get(feed) as Progress
    progress.next ??= progress.running
      .catch(() => {}) // whoever waited for it has heard
      .then(() => {
        progress.next = null
        const run = () => runOnce(sql, feed, progress)
        progress.running = onErrand(newErrand(), run) // not on one caller's errand
        return progress.running
      })
    return progress.next
  }

  return { catchUp, keepCaughtUp }
}

type Progress = {
  running: Promise<void>
  next: Promise<void> | null
  reached_ms: number // the start of the last run that came to its end
}

const ageOf = ({ reached_ms }: Progress) => performance.now() - reached_ms

async function runOnce(sql: Database, feed: Feed, progress: Progress) {
  const began = performance.now()
  try {
    await drain(sql, feed)
    progress.reached_ms = began
  } catch (err) {
    const isAway = asFault(err).kind === "unavailable" // which its own log and /status tell
    if (!isAway) log.error({ err, feed: feed.name }, "A feed could not be applied.")
    throw err
  }
}

/**
 * Reads to a target that was taken after the start. A run may begin on the way to one that an
 * earlier run took: that end does not count. What follows a batch is read while it is taken in.
 */
async function drain(sql: Database, feed: Feed) {
  let from = await cursorOf(sql, feed)
  let reading = feed.read(from)

  for (let hasOwnTarget = false; ; ) {
    const batch = await reading
    const isOnOwnWay: boolean = hasOwnTarget || !from?.target
    const next = batch.is_drained && isOnOwnWay ? null : feed.read(batch.cursor)
    next?.catch(() => {}) // it is heard of when its turn comes, if it does

    if (await take(sql, feed, from, batch)) {
      if (!next) return
      hasOwnTarget = isOnOwnWay
      from = batch.cursor
      reading = next
    } else {
      from = await cursorOf(sql, feed)
      reading = feed.read(from)
    }
  }
}

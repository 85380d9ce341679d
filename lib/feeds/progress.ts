import { Gauge } from "prom-client"
import { type CatchUpResult, nothingApplied } from "./cursors"
import type { Cursors, Source } from "./source"

const SOLE_READER_AFTER_MS = 10_000 // without another replica moving the cursors
const CURSORS_TRUSTED_MS = 1_000 // after they were read or moved

/** What a process remembers of a source whose feeds it applies. */
export type Progress = {
  running: Promise<CatchUpResult>
  next: Promise<CatchUpResult> | null
  caughtUpAt: number // start of the last complete run: performance.now(), as below
  movedAt: number // when a batch was last applied, or there was none
  waiting: string[] // the feeds that have new rows in the present batch
  failures: number // of runs, one after the other, in which a row may be at fault
  loggedAt: number // when a failure was last logged
  cursors: Cursors | null // after that run; null: they must be read
  cursorsSeenAt: number // when this process last read or moved them
  cursorsLostAt: number // when another replica was last found to have moved them
}

export const newProgress = (): Progress => ({
  running: Promise.resolve(nothingApplied()),
  next: null,
  caughtUpAt: performance.now(),
  movedAt: performance.now(),
  waiting: [],
  failures: 0,
  loggedAt: -Infinity,
  cursors: null,
  cursorsSeenAt: -Infinity,
  cursorsLostAt: -Infinity,
})

/** For how long a feed has had new rows, but none was applied. */
export const stalledMs = ({ movedAt, waiting }: Progress, feed: string) =>
  waiting.includes(feed) ? performance.now() - movedAt : 0
const ageOf = ({ caughtUpAt }: Progress) => performance.now() - caughtUpAt
export const areCursorsRecent = ({ cursorsSeenAt }: Progress) =>
  performance.now() - cursorsSeenAt < CURSORS_TRUSTED_MS
export const isSoleReader = ({ cursorsLostAt }: Progress) =>
  performance.now() - cursorsLostAt > SOLE_READER_AFTER_MS

/** Notes which feeds have new rows in the batch that is applied next. */
export function awaitRows(progress: Progress, feeds: string[]) {
  if (progress.waiting.length === 0) progress.movedAt = performance.now()
  progress.waiting = feeds
}

/** Notes that a batch was applied, or that there was none. */
export function hasMoved(progress: Progress) {
  progress.movedAt = performance.now()
  progress.waiting = []
  progress.failures = 0
}

type Followed = { labels: { reader: string; feed: string }; progress: Progress }
const followed: Followed[] = []

/** Shows the progress of a source's feeds in the metrics. */
export const measureProgress = (reader: string, { feeds }: Source, progress: Progress) =>
  followed.push(...feeds.map(({ name }) => ({ labels: { reader, feed: name }, progress })))

new Gauge({
  name: "tributary_feed_lag_seconds",
  help: "Time since the feed was last checked and completely applied.",
  labelNames: ["reader", "feed"],
  collect() {
    for (const { labels, progress } of followed) this.set(labels, ageOf(progress) / 1_000)
  },
})

new Gauge({
  name: "tributary_feed_stalled_seconds",
  help: "How long a feed has had new rows of which none was applied. 0 if it is progressing.",
  labelNames: ["reader", "feed"],
  collect() {
    for (const { labels, progress } of followed) {
      this.set(labels, stalledMs(progress, labels.feed) / 1_000)
    }
  },
})

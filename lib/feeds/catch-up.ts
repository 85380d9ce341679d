import { Gauge } from "prom-client"
import type { Database } from "../db/database"
import { asFault } from "../fault"
import { log } from "../log"
import { newContext, withContext } from "../request-context"
import { every } from "../timer"
import { applyBatch, type CatchUpResult, nothingApplied, readCursors } from "./cursors"
import type { FeedPosition } from "./feed"
import { type Cursors, cursorsAfter, type Feed, type Source } from "./source"

const CATCH_UP_TIMEOUT_MS = 1_000
const SOLE_READER_AFTER_MS = 10_000 // without another replica moving the cursors
const CURSORS_TRUSTED_MS = 1_000 // after they were read or moved

const followed: { labels: { reader: string; feed: string }; progress: Progress }[] = []

new Gauge({
  name: "tributary_feed_lag_seconds",
  help: "Time since the feed was last checked and completely applied.",
  labelNames: ["reader", "feed"],
  collect() {
    for (const { labels, progress } of followed) this.set(labels, ageOf(progress) / 1_000)
  },
})

/** Applies feeds to the tables of `sql`. Its table `cursors` stores how far each has been read. */
export function followFeeds(reader: string, sql: Database, all: Source[]) {
  const caughtUpAt = performance.now()
  const progressOf = new Map<Source, Progress>(all.map(source => [source, { ...NEW, caughtUpAt }]))
  for (const [{ feeds }, progress] of progressOf) {
    followed.push(...feeds.map(({ name }) => ({ labels: { reader, feed: name }, progress })))
  }

  /**
   * Applies everything that these sources had confirmed before the call, and returns how far that
   * is. A crash may undo it, so readers compare it with what is stored (`appliedUntilOf`). Null: a
   * source is unavailable or has too many rows.
   */
  function catchUp(sources: Source[]): Promise<CatchUpResult | null> {
    return Promise.race([
      Promise.all(sources.map(nextRun)).then(
        runs => ({
          until: Object.assign({}, ...runs.map(({ until }) => until)),
          checkedAt: runs[0]?.checkedAt ?? null, // the clock of any owner will do
        }),
        () => null,
      ),
      Bun.sleep(CATCH_UP_TIMEOUT_MS).then(() => null),
    ])
  }

  /** Catches up regularly, so that callers of `catchUp` wait less. Returns what stops it. */
  function keepCaughtUp(pauseMs: number) {
    const stops = all.map(source =>
      every(pauseMs, `Catching up with ${namesOf(source)}`, () => nextRun(source).catch(() => {})),
    )
    return () => Promise.all(stops.map(stop => stop()))
  }

  /**
   * Returns the run after the one in progress, which may have read before the caller's event was
   * stored. All callers until its start share it.
   */
  function nextRun(source: Source): Promise<CatchUpResult> {
    const progress = progressOf.get(source) as Progress
    progress.next ??= progress.running
      .catch(() => {}) // its own callers get the error
      .then(() => {
        progress.next = null
        const run = () => runOnce(sql, source, progress)
        progress.running = withContext(newContext(), run) // not in one caller's context
        return progress.running
      })
    return progress.next
  }

  return { catchUp, keepCaughtUp }
}

type Progress = {
  running: Promise<CatchUpResult>
  next: Promise<CatchUpResult> | null
  caughtUpAt: number // start of the last complete run: performance.now(), as below
  cursors: Cursors | null // after that run; null: they must be read
  cursorsSeenAt: number // when this process last read or moved them
  cursorsLostAt: number // when another replica was last found to have moved them
}
const NEVER = { cursorsSeenAt: -Infinity, cursorsLostAt: -Infinity }
const NEW = { running: Promise.resolve(nothingApplied()), next: null, cursors: null, ...NEVER }

const ageOf = ({ caughtUpAt }: Progress) => performance.now() - caughtUpAt
const areCursorsRecent = ({ cursorsSeenAt }: Progress) =>
  performance.now() - cursorsSeenAt < CURSORS_TRUSTED_MS
const isSoleReader = ({ cursorsLostAt }: Progress) =>
  performance.now() - cursorsLostAt > SOLE_READER_AFTER_MS

async function runOnce(sql: Database, source: Source, progress: Progress) {
  const began = performance.now()
  try {
    const reached = await drain(sql, source, progress)
    progress.caughtUpAt = began
    return reached
  } catch (err) {
    const isUnavailable = asFault(err).kind === "unavailable" // its own log and /status show it
    if (!isUnavailable) log.error({ err, feeds: namesOf(source) }, "Feeds could not be applied.")
    throw err
  }
}

/**
 * Reads each feed up to a target that was set after the start. If a feed is still on the way to the
 * target of an earlier run, reaching that one does not count. The next batch is read while one is
 * applied. The run continues from the cursors of the last one if no other replica moves them and
 * they were seen recently, because a crash or a rebuild may have set them back. Returns how far the
 * feeds that the owner sent are applied.
 */
async function drain(sql: Database, source: Source, progress: Progress): Promise<CatchUpResult> {
  const reached = nothingApplied()
  const open = new Set(source.feeds)
  const withOwnTarget = new Set<Feed>()
  const loadCursors = () => {
    progress.cursorsSeenAt = performance.now()
    return readCursors(sql, source)
  }
  const known = areCursorsRecent(progress) ? progress.cursors : null
  progress.cursors = null // until this run is complete
  let from = known ?? (await loadCursors())
  let reading = source.read(from)

  for (;;) {
    const batch = await reading
    const own = batch.filter(({ feed }) => withOwnTarget.has(feed) || !from[feed.name]?.target)
    const drained = own.filter(({ is_drained }) => is_drained)
    const sent = new Set(batch.map(({ feed }) => feed))
    const isLast = open.intersection(sent).isSubsetOf(new Set(drained.map(({ feed }) => feed)))
    const next = isLast ? null : source.read({ ...from, ...cursorsAfter(batch) })
    next?.catch(() => {}) // if it is awaited, it is handled there

    const moved = await applyBatch(sql, from, batch)
    if (!moved) {
      progress.cursorsLostAt = performance.now()
      from = await loadCursors()
      reading = source.read(from)
      continue
    }
    if (moved !== from) progress.cursorsSeenAt = performance.now()
    for (const { feed } of own) withOwnTarget.add(feed)
    for (const { feed, cursor } of drained) {
      reached.until[feed.name] = (moved[feed.name] as FeedPosition).as_of
      reached.checkedAt = cursor.as_of
      open.delete(feed)
    }
    if (!next) {
      if (isSoleReader(progress)) progress.cursors = moved
      return reached
    }
    from = moved
    reading = next
  }
}

const namesOf = ({ feeds }: Source) => feeds.map(({ name }) => name).join(", ")

import type { Database } from "../db/database"
import { asFault } from "../fault"
import type { FindProblems } from "../health"
import { log } from "../log"
import { newContext, withContext } from "../request-context"
import { every } from "../timer"
import { applyBatch, type CatchUpResult, nothingApplied, readCursors } from "./cursors"
import type { FeedPosition } from "./feed"
import {
  areCursorsRecent,
  awaitRows,
  hasMoved,
  isSoleReader,
  measureProgress,
  newProgress,
  type Progress,
  stalledMs,
} from "./progress"
import { retrySetAside } from "./retry-set-aside"
import { describeSetAside, isRowAtFault, registerSetAside } from "./set-aside"
import { cursorsAfter, type Feed, type Source } from "./source"

const CATCH_UP_TIMEOUT_MS = 1_000
const TRIES = 3 // of a batch, before the rows at fault are set aside
const RETRY_PAUSE_MS = 10_000 // of rows that were set aside
const STALLED_AFTER_MS = 60_000
const LOG_PAUSE_MS = 60_000 // between lines about the same source

/**
 * Applies feeds to the tables of `sql`. Its table `cursors` stores how far each has been read, and
 * `set_aside` the rows that could not be applied.
 */
export function followFeeds(reader: string, sql: Database, all: Source[]) {
  const progressOf = new Map<Source, Progress>(all.map(source => [source, newProgress()]))
  registerSetAside(reader, sql)
  for (const [source, progress] of progressOf) measureProgress(reader, source, progress)

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
    const feeds = all.flatMap(source => source.feeds)
    stops.push(every(RETRY_PAUSE_MS, "Applying rows set aside", () => retrySetAside(sql, feeds)))
    return () => Promise.all(stops.map(stop => stop()))
  }

  /** Names the feeds that do not move, and those with rows set aside. */
  const findProblems: FindProblems = async () => {
    const stalled = [...progressOf].flatMap(([{ feeds }, progress]) => {
      const names = feeds.map(({ name }) => name)
      return names.filter(name => stalledMs(progress, name) > STALLED_AFTER_MS)
    })
    const sentences = stalled.length === 0 ? [] : [`${STALLED}: ${stalled.join(", ")}.`]
    return [...sentences, ...(await describeSetAside(sql))]
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

  return { catchUp, keepCaughtUp, findProblems }
}

const STALLED =
  "no new rows were applied for more than a minute (the log has the reason) from these feeds"

async function runOnce(sql: Database, source: Source, progress: Progress) {
  const began = performance.now()
  try {
    const reached = await drain(sql, source, progress)
    progress.caughtUpAt = began
    hasMoved(progress)
    return reached
  } catch (err) {
    if (isRowAtFault(err)) progress.failures++
    logFailure(source, progress, err)
    throw err
  }
}

/** A run fails again and again, so only the first failure in a minute is logged. */
function logFailure(source: Source, progress: Progress, err: unknown) {
  if (asFault(err).kind === "unavailable") return // its own log and /status show it
  if (performance.now() - progress.loggedAt < LOG_PAUSE_MS) return
  progress.loggedAt = performance.now()
  log.error({ err, feeds: namesOf(source) }, "Feeds could not be applied.")
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
    const withRows = batch.filter(({ rows }) => rows.length > 0)
    awaitRows(progress, namesOf({ feeds: withRows.map(({ feed }) => feed) }))
    const own = batch.filter(({ feed }) => withOwnTarget.has(feed) || !from[feed.name]?.target)
    const drained = own.filter(({ is_drained }) => is_drained)
    const sent = new Set(batch.map(({ feed }) => feed))
    const isLast = open.intersection(sent).isSubsetOf(new Set(drained.map(({ feed }) => feed)))
    const next = isLast ? null : source.read({ ...from, ...cursorsAfter(batch) })
    next?.catch(() => {}) // if it is awaited, it is handled there

    const moved = await applyBatch(sql, from, batch, progress.failures >= TRIES)
    if (!moved) {
      progress.cursorsLostAt = performance.now()
      hasMoved(progress)
      from = await loadCursors()
      reading = source.read(from)
      continue
    }
    if (moved !== from) progress.cursorsSeenAt = performance.now()
    hasMoved(progress)
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

const namesOf = ({ feeds }: { feeds: Feed[] }) => feeds.map(({ name }) => name)

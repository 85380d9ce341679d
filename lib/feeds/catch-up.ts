import { Gauge } from "prom-client"
import type { Database } from "../db/database"
import { asFault } from "../fault"
import { log } from "../log"
import { newContext, withContext } from "../request-context"
import { every } from "../timer"
import { cursorsOf, nothingReached, type Reached, take } from "./cursors"
import type { FeedPosition } from "./feed"
import { type Cursors, cursorsAfter, type Feed, type Source } from "./source"

const BOUND_MS = 1_000
const ALONE_AFTER_MS = 10_000 // in which nobody else moved the cursors
const SURE_MS = 1_000 // of where they are

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
export function catchingUp(reader: string, sql: Database, all: Source[]) {
  const reached_ms = performance.now()
  const progressOf = new Map<Source, Progress>(all.map(source => [source, { ...NEW, reached_ms }]))
  for (const [{ feeds }, progress] of progressOf) {
    followed.push(...feeds.map(({ name }) => ({ labels: { reader, feed: name }, progress })))
  }

  /**
   * Applies whatever these owners of feeds had answered when this was called, and says how far that
   * is: a crash may take it back, so whoever reads compares (`lagging`). Null if it did not come
   * about: one is away, or has too much to tell.
   */
  function catchUp(sources: Source[]): Promise<Reached | null> {
    return Promise.race([
      Promise.all(sources.map(nextRun)).then(
        runs => ({
          until: Object.assign({}, ...runs.map(({ until }) => until)),
          looked_at: runs[0]?.looked_at ?? null, // any owner's clock will do
        }),
        () => null,
      ),
      Bun.sleep(BOUND_MS).then(() => null),
    ])
  }

  /** Catches up all the time, so that those who ask have little to wait for. */
  function keepCaughtUp(pause_ms: number) {
    const stops = all.map(source =>
      every(pause_ms, `Catching up with ${namesOf(source)}`, () => nextRun(source).catch(() => {})),
    )
    return () => Promise.all(stops.map(stop => stop()))
  }

  /**
   * The run after the one under way, which may have looked before the caller's event was there.
   * Whoever comes until it starts shares it.
   */
  function nextRun(source: Source): Promise<Reached> {
    const progress = progressOf.get(source) as Progress
    progress.next ??= progress.running
      .catch(() => {}) // whoever waited for it has heard
      .then(() => {
        progress.next = null
        const run = () => runOnce(sql, source, progress)
        progress.running = withContext(newContext(), run) // not on one caller's errand
        return progress.running
      })
    return progress.next
  }

  return { catchUp, keepCaughtUp }
}

type Progress = {
  running: Promise<Reached>
  next: Promise<Reached> | null
  reached_ms: number // the start of the last run that came to its end
  left: Cursors | null // where that run left the cursors, if nobody else moves them; null: ask
  seen_ms: number // when they were last asked for or moved
  lost_ms: number // when somebody else was last found to have moved them
}
const NEVER = { seen_ms: -Infinity, lost_ms: -Infinity }
const NEW = { running: Promise.resolve(nothingReached()), next: null, left: null, ...NEVER }

const ageOf = ({ reached_ms }: Progress) => performance.now() - reached_ms
const isSure = ({ seen_ms }: Progress) => performance.now() - seen_ms < SURE_MS
const isAlone = ({ lost_ms }: Progress) => performance.now() - lost_ms > ALONE_AFTER_MS

async function runOnce(sql: Database, source: Source, progress: Progress) {
  const began = performance.now()
  try {
    const reached = await drain(sql, source, progress)
    progress.reached_ms = began
    return reached
  } catch (err) {
    const isAway = asFault(err).kind === "unavailable" // which its own log and /status tell
    if (!isAway) log.error({ err, feeds: namesOf(source) }, "Feeds could not be applied.")
    throw err
  }
}

/**
 * Reads each feed to a target that was taken after the start. A run may begin on the way to one
 * that an earlier run took: that end does not count. What follows a batch is read while it is taken
 * in. A run goes on from where the last one left the cursors, if nobody else moves them and they have
 * been seen lately: a crash may have taken them back, or a rebuild away. Returns how far the feeds
 * that the owner told are applied then.
 */
async function drain(sql: Database, source: Source, progress: Progress): Promise<Reached> {
  const reached = nothingReached()
  const open = new Set(source.feeds)
  const onOwnWay = new Set<Feed>()
  const ask = () => {
    progress.seen_ms = performance.now()
    return cursorsOf(sql, source)
  }
  const left = isSure(progress) ? progress.left : null
  progress.left = null // unless this run comes to its end
  let from = left ?? (await ask())
  let reading = source.read(from)

  for (;;) {
    const batch = await reading
    const own = batch.filter(({ feed }) => onOwnWay.has(feed) || !from[feed.name]?.target)
    const drained = own.filter(({ is_drained }) => is_drained)
    const told = new Set(batch.map(({ feed }) => feed))
    const isLast = open.intersection(told).isSubsetOf(new Set(drained.map(({ feed }) => feed)))
    const next = isLast ? null : source.read({ ...from, ...cursorsAfter(batch) })
    next?.catch(() => {}) // it is heard of when its turn comes, if it does

    const taken = await take(sql, from, batch)
    if (!taken) {
      progress.lost_ms = performance.now()
      from = await ask()
      reading = source.read(from)
      continue
    }
    if (taken !== from) progress.seen_ms = performance.now()
    for (const { feed } of own) onOwnWay.add(feed)
    for (const { feed, cursor } of drained) {
      reached.until[feed.name] = (taken[feed.name] as FeedPosition).as_of
      reached.looked_at = cursor.as_of
      open.delete(feed)
    }
    if (!next) {
      if (isAlone(progress)) progress.left = taken
      return reached
    }
    from = taken
    reading = next
  }
}

const namesOf = ({ feeds }: Source) => feeds.map(({ name }) => name).join(", ")

import { eventsOf, load } from "./load"
import type { Program } from "./program"
import type { Tributary } from "./tributary"

const POLL_INTERVAL_MS = 500
const PRINT_INTERVAL_MS = 5_000
const STALL_TIMEOUT_MS = 60_000
const BAR = 30

export type Applied = {
  events: number
  seconds: number // from loading the first row to seeing the last one in the reports
  per_second: number
  per_second_alone: number // after everything was loaded
  rss_mb: number // the most that reporting's process used
}

/** Loads clicks with their leads, sales and commissions, and waits until reporting has them all. */
export async function loadAndApply(
  tributary: Tributary,
  program: Program,
  [first, last]: [first: number, last: number],
): Promise<Applied> {
  const showProgress = progress(eventsOf(last))
  const start = performance.now()
  let loaded = eventsOf(first)
  let isOver = false
  const loading = load(tributary.sql, program, [first, last], clicks => {
    loaded = eventsOf(clicks)
  }).finally(() => {
    isOver = true
  })

  let atEnd: { applied: number; time: number } | null = null
  let rss_mb = 0
  let lastProgress = { applied: 0, time: start }
  for (;;) {
    const applied = await appliedBy(tributary)
    const time = performance.now()
    rss_mb = Math.max(rss_mb, await tributary.reportingMb())
    showProgress(loaded, applied)
    if (isOver) atEnd ??= { applied, time }
    if (applied > lastProgress.applied) lastProgress = { applied, time }
    if (time - lastProgress.time > STALL_TIMEOUT_MS)
      throw new Error("Reporting applied nothing for a minute.")
    if (isOver && applied >= eventsOf(last)) break
    await Bun.sleep(POLL_INTERVAL_MS)
  }
  await loading

  const events = eventsOf(last) - eventsOf(first)
  const rest = atEnd && {
    events: eventsOf(last) - atEnd.applied,
    ms: lastProgress.time - atEnd.time,
  }
  return {
    events,
    seconds: (lastProgress.time - start) / 1_000,
    per_second: (events / (lastProgress.time - start)) * 1_000,
    per_second_alone: rest && rest.ms > 0 ? (rest.events / rest.ms) * 1_000 : 0,
    rss_mb,
  }
}

async function appliedBy({ sql }: Tributary): Promise<number> {
  const [{ applied }] = await sql<[{ applied: number }]>`
    select coalesce(sum(clicks + leads + sales), 0)::bigint as applied
    from reporting.daily
  `
  return applied
}

/** Prints progress: one line that is redrawn on a terminal, otherwise a line every five seconds. */
function progress(all: number) {
  let lastPrintedAt = 0
  return (loaded: number, applied: number) => {
    const isOver = applied >= all
    const pause = process.stdout.isTTY ? 0 : PRINT_INTERVAL_MS
    if (!isOver && performance.now() < lastPrintedAt + pause) return
    lastPrintedAt = performance.now()

    const [done, ahead] = [applied, loaded].map(events => Math.round((events / all) * BAR))
    const bar = "█".repeat(done!).padEnd(ahead!, "▒").padEnd(BAR, "·")
    const line = `${bar} ${rounded(loaded)} loaded, ${rounded(applied)} of ${rounded(all)} applied`
    process.stdout.write(process.stdout.isTTY ? `\r${line}${isOver ? "\n" : ""}` : `${line}\n`)
  }
}

export const rounded = (number: number) => Math.round(number).toLocaleString("en")

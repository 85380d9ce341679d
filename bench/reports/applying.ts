import { eventsOf, load } from "./load"
import type { Program } from "./program"
import type { Tributary } from "./tributary"

const LOOK_EVERY_MS = 500
const SAY_EVERY_MS = 5_000
const PATIENCE_MS = 60_000
const BAR = 30

export type Applied = {
  events: number
  seconds: number // from the first row to the last one in the reports
  per_second: number
  per_second_alone: number // once the loading was over
  rss_mb: number // of reporting's process, at most
}

/** Loads clicks and what came of them, and waits until reporting has all of it. */
export async function loadAndApply(
  tributary: Tributary,
  program: Program,
  [first, last]: [first: number, last: number],
): Promise<Applied> {
  const say = progress(eventsOf(last))
  const began = performance.now()
  let loaded = eventsOf(first)
  let is_over = false
  const loading = load(tributary.sql, program, [first, last], clicks => {
    loaded = eventsOf(clicks)
  }).finally(() => {
    is_over = true
  })

  let at_end: { applied: number; time: number } | null = null
  let rss_mb = 0
  let moved = { applied: 0, time: began }
  for (;;) {
    const applied = await appliedBy(tributary)
    const time = performance.now()
    rss_mb = Math.max(rss_mb, await tributary.reportingMb())
    say(loaded, applied)
    if (is_over) at_end ??= { applied, time }
    if (applied > moved.applied) moved = { applied, time }
    if (time - moved.time > PATIENCE_MS) throw new Error("Reporting has stopped reading.")
    if (is_over && applied >= eventsOf(last)) break
    await Bun.sleep(LOOK_EVERY_MS)
  }
  await loading

  const events = eventsOf(last) - eventsOf(first)
  const rest = at_end && { events: eventsOf(last) - at_end.applied, ms: moved.time - at_end.time }
  return {
    events,
    seconds: (moved.time - began) / 1_000,
    per_second: (events / (moved.time - began)) * 1_000,
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

/** One line that moves on a terminal; elsewhere a line now and then. */
function progress(all: number) {
  let said = 0
  return (loaded: number, applied: number) => {
    const is_over = applied >= all
    const pause = process.stdout.isTTY ? 0 : SAY_EVERY_MS
    if (!is_over && performance.now() < said + pause) return
    said = performance.now()

    const [done, ahead] = [applied, loaded].map(events => Math.round((events / all) * BAR))
    const bar = "█".repeat(done!).padEnd(ahead!, "▒").padEnd(BAR, "·")
    const line = `${bar} ${whole(loaded)} loaded, ${whole(applied)} of ${whole(all)} applied`
    process.stdout.write(process.stdout.isTTY ? `\r${line}${is_over ? "\n" : ""}` : `${line}\n`)
  }
}

export const whole = (number: number) => Math.round(number).toLocaleString("en")

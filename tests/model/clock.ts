import type { Random } from "../../lib/random"
import { msOf } from "./moment"
import { addMonths, DAY_MS, ROUND_MS } from "./rules"
import type { Program } from "./state"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MARGIN_MS = 2 * ROUND_MS

/** The database's clock, moved on between rounds. It goes on by itself within a round. */
export function movableClock(setAhead: (ms: number) => PromiseLike<unknown>) {
  let ahead_ms = 0
  return {
    read: () => Date.now() + ahead_ms,
    async set(time: number) {
      ahead_ms = time - Date.now()
      await setAhead(ahead_ms)
    },
  }
}

export type Clock = ReturnType<typeof movableClock>

/**
 * The time of the next round: minutes, hours or days later. Nothing ends around it, so that the
 * model knows for each operation of the round whether it comes before or after.
 */
export function nextTime(random: Random, now: number, programs: Program[]): number {
  const ends = new Set(programs.flatMap(endsOf).map(end => Math.round(end / MINUTE_MS)))
  const isClear = (time: number) => {
    const minute = Math.round(time / MINUTE_MS)
    const margin = MARGIN_MS / MINUTE_MS
    for (let near = minute - margin; near <= minute + margin; near++) {
      if (ends.has(near)) return false
    }
    const ofDay = time % DAY_MS
    return ofDay > MARGIN_MS && ofDay < DAY_MS - MARGIN_MS
  }
  const dice = random.fraction()
  const step =
    dice < 0.5
      ? MARGIN_MS + random.below(HOUR_MS)
      : dice < 0.85
        ? HOUR_MS + random.below(20 * HOUR_MS)
        : DAY_MS + random.below(3 * DAY_MS)
  let time = now + step - ((now + step) % MINUTE_MS)
  while (!isClear(time)) time += 7 * MINUTE_MS
  return time
}

/** When windows, holds, durations of subscriptions and policies of a program end. */
function endsOf({ customers, sales, commissions, groups }: Program): number[] {
  return [
    ...customers.map(({ attribution: { click } }) => click.nominal + click.window_days * DAY_MS),
    ...commissions.map(({ nominal, hold_days }) => nominal + hold_days * DAY_MS),
    ...sales.flatMap(({ nominal, duration_months }) =>
      duration_months ? [addMonths(nominal, duration_months)] : [],
    ),
    ...groups.flatMap(({ policies }) =>
      policies.flatMap(({ isLater, effective_from }) => (isLater ? [msOf(effective_from)] : [])),
    ),
  ]
}

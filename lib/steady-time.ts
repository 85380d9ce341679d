const STEP_MS_MIN = 60_000 // time servers correct less at once, and a late reading looks like less
const DOWNTIME_MS_MAX = 86_400_000 // after longer ones the clock may have stepped meanwhile
const DOUBT_MS_MAX = 7 * 86_400_000

/** What outlives a restart. `stepped_ms`: the time before a step that is in doubt; null: none is. */
export type Mark = { steady_ms: number; stepped_ms: number | null }

/** A reading of the database's clock, this process's, and a monotonic one (from any origin). */
export type Reading = { database_ms: number; process_ms: number; running_ms: number }

/** `step_ms`: how far the database's clock is ahead of the time that has passed; 0: it is steady. */
export type SteadyTime = Mark & { step_ms: number }

/**
 * Follows a clock that may be set to a wrong time. Returns the function that takes a reading and
 * says what time it would be had the clock not been set.
 *
 * A step in either direction is believed once the clock has run on for as long as the step, at most
 * a week: by then the time that it jumped to has come anyway. Without a running process there is no
 * telling a step from a pause, so after a start a pause of up to a day is believed if the clocks of
 * database and process agree.
 */
export function followClock(mark: Mark | null) {
  let known = mark
  let readAt: number | null = null

  return (reading: Reading): SteadyTime => {
    const { database_ms, running_ms } = reading
    const expected_ms = readAt === null ? startOf(known, reading) : passed(known!, readAt, reading)
    readAt = running_ms
    const step_ms = database_ms - expected_ms
    if (Math.abs(step_ms) <= STEP_MS_MIN) return believe(database_ms)

    const stepped_ms = known?.stepped_ms ?? expected_ms
    const hasRunOn = expected_ms - stepped_ms >= Math.min(Math.abs(step_ms), DOUBT_MS_MAX)
    if (hasRunOn) return believe(database_ms)
    known = { steady_ms: expected_ms, stepped_ms }
    return { ...known, step_ms }
  }

  function believe(steady_ms: number) {
    known = { steady_ms, stepped_ms: null }
    return { ...known, step_ms: 0 }
  }
}

function startOf(mark: Mark | null, { database_ms, process_ms }: Reading): number {
  if (!mark) return database_ms
  const pause_ms = database_ms - mark.steady_ms
  const isPlausible = pause_ms >= 0 && pause_ms <= DOWNTIME_MS_MAX && mark.stepped_ms === null
  const clocksAgree = Math.abs(database_ms - process_ms) <= STEP_MS_MIN
  return isPlausible && clocksAgree ? database_ms : mark.steady_ms
}

const passed = ({ steady_ms }: Mark, readAt: number, { running_ms }: Reading) =>
  steady_ms + running_ms - readAt

import { Fault } from "../../../lib/fault"
import { type Range, rangeOf } from "../../../lib/range"
import { addMs, DAY_MS, dayOf, earliest, endOf, startOf } from "../../../lib/time"
import type { PerformanceQuery } from "../contract"

const PERIOD_DAYS = { "7d": 7, "30d": 30, "90d": 90 }
const DEFAULT_PERIOD = "7d"
const EARLIEST = "1000-01-01T00:00:00.000Z" // so that there is a previous period, too

/** A range, and what it is called in replies. */
export type Period = Range & { period: string }

type PeriodAt = (now: string, created_at: string) => Period

/**
 * Checks the period of a query and returns a function that computes it (behaviour 7.1.2): the range
 * of the dates, else the last 7, 30 or 90 days, or all days since the program was created.
 * Throws "invalid" before any feed is read.
 */
export function parsePeriod(query: PerformanceQuery): PeriodAt {
  const { period = DEFAULT_PERIOD, dateFrom, dateTo } = query
  if (dateFrom && dateTo) {
    const range = rangeOf({ dateFrom, dateTo })
    if (range.from >= EARLIEST) return () => ({ period: "custom", ...range })
    throw new Fault("invalid", "dateFrom must not be before the year 1000.")
  }
  if (dateFrom || dateTo) {
    throw new Fault("invalid", "dateFrom and dateTo must be given together.")
  }
  if (period !== "all" && !isPeriod(period)) {
    throw new Fault("invalid", "period must be 7d, 30d, 90d or all.")
  }

  return (now, created_at) => {
    const today = dayOf(now)
    const first =
      period === "all"
        ? dayOf(earliest(created_at, now)) // clocks may differ
        : dayOf(addMs(startOf(today), (1 - PERIOD_DAYS[period]) * DAY_MS))
    return { period, from: startOf(first), to: endOf(today) }
  }
}

const isPeriod = (period: string): period is keyof typeof PERIOD_DAYS =>
  Object.hasOwn(PERIOD_DAYS, period)

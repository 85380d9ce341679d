import { Fault } from "../../lib/fault"
import type { PerformanceQuery } from "./contract"
import { type Range, rangeOf } from "./range"
import { DAY_MS, dayOf, endOf, later, startOf } from "./time"

const PERIOD_DAYS = { "7d": 7, "30d": 30, "90d": 90 }
const USUAL = "7d"
const EARLIEST = "1000-01-01T00:00:00.000Z" // what lies before it has a period before it, too

export type Period = Range & { period: string }

/**
 * The period in force: what the dates say, else so many days that end with today, or all since
 * the day on which the program was created. Throws "invalid".
 */
export function periodOf(
  { period = USUAL, dateFrom, dateTo }: PerformanceQuery,
  now: string,
  created_at: string,
): Period {
  if (dateFrom && dateTo) {
    const range = rangeOf({ dateFrom, dateTo })
    if (range.from >= EARLIEST) return { period: "custom", ...range }
    throw new Fault("invalid", "dateFrom must not be before the year 1000.")
  }
  if (dateFrom || dateTo) {
    throw new Fault("invalid", "dateFrom and dateTo must be given together.")
  }

  const today = dayOf(now)
  const to = endOf(today)
  if (period === "all") {
    const first = dayOf(created_at < now ? created_at : now) // clocks may differ
    return { period, from: startOf(first), to }
  }
  if (!isPeriod(period)) throw new Fault("invalid", "period must be 7d, 30d, 90d or all.")
  return { period, from: later(startOf(today), (1 - PERIOD_DAYS[period]) * DAY_MS), to }
}

const isPeriod = (period: string): period is keyof typeof PERIOD_DAYS =>
  Object.hasOwn(PERIOD_DAYS, period)

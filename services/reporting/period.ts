import { Fault } from "../../lib/fault"
import type { PerformanceQuery } from "./contract"
import { type Range, rangeOf } from "./range"
import { DAY_MS, dayOf, endOf, later, min, startOf } from "./time"

const PERIOD_DAYS = { "7d": 7, "30d": 30, "90d": 90 }
const USUAL = "7d"
const EARLIEST = "1000-01-01T00:00:00.000Z" // what lies before it has a period before it, too

type Period = Range & { period: string }

type PeriodAt = (now: string, created_at: string) => Period

/**
 * The period that is in force at a time: what the dates say, else so many days that end with today,
 * or all since the day on which the program was created. Throws "invalid", whatever time it is.
 */
export function periodOf({ period = USUAL, dateFrom, dateTo }: PerformanceQuery): PeriodAt {
  if (dateFrom && dateTo) {
    const range = rangeOf({ dateFrom, dateTo })
    if (range.from >= EARLIEST) return () => ({ period: "custom", ...range })
    throw new Fault("invalid", "dateFrom must not be before the year 1000.")
  }
  if (dateFrom || dateTo) {
    throw new Fault("invalid", "dateFrom and dateTo must be given together.")
  }

  if (period === "all") {
    return (now, created_at) => {
      const first = dayOf(min(created_at, now)) // clocks may differ
      return { period, from: startOf(first), to: endOf(dayOf(now)) }
    }
  }
  if (!isPeriod(period)) throw new Fault("invalid", "period must be 7d, 30d, 90d or all.")
  return now => {
    const from = later(startOf(dayOf(now)), (1 - PERIOD_DAYS[period]) * DAY_MS)
    return { period, from, to: endOf(dayOf(now)) }
  }
}

const isPeriod = (period: string): period is keyof typeof PERIOD_DAYS =>
  Object.hasOwn(PERIOD_DAYS, period)

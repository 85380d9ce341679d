import { Type } from "@sinclair/typebox"
import { Fault } from "./fault"
import { DAY_MS, FIRST_TIME, LAST_TIME, parseTime } from "./time"

const RANGE_MAX_DAYS = 3_660

/** The times `from` and `to`, both included. */
export type Range = { from: string; to: string }

/** A bound of a range in a query: a UTC day or a time (behaviour 7.1.1). */
export const Day = Type.Optional(
  Type.String({ description: "a date like 2026-01-31 or a time like 2026-01-31T23:59:59.999Z" }),
)

type Dates = { dateFrom?: string; dateTo?: string }

/**
 * Returns the range of a query (behaviour 7.1.1). A missing bound is the first or the last possible
 * time. Throws "invalid".
 */
export function rangeOf({ dateFrom, dateTo }: Dates): Range {
  const from = dateFrom ? parseTime("dateFrom", dateFrom, "first") : FIRST_TIME
  const to = dateTo ? parseTime("dateTo", dateTo, "last") : LAST_TIME
  if (from > to) throw new Fault("invalid", "dateFrom must not be after dateTo.")
  if (dateFrom && dateTo && lengthOf({ from, to }) > RANGE_MAX_DAYS * DAY_MS) {
    throw new Fault("invalid", `dateFrom and dateTo must span at most ${RANGE_MAX_DAYS} days.`)
  }
  return { from, to }
}

/** The milliseconds of a range. */
export const lengthOf = ({ from, to }: Range): number => Date.parse(to) - Date.parse(from) + 1

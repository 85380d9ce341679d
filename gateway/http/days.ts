import { type Static, Type } from "@sinclair/typebox"
import { Fault } from "../../lib/fault"
import { Instant } from "../../lib/fields"

const RANGE_MAX_DAYS = 3_660
const DAY_MS = 86_400_000

/** The range of a list: UTC days or times, both included (behaviour 7.1.1). */
export const Days = Type.Object({
  dateFrom: Type.Optional(Instant),
  dateTo: Type.Optional(Instant),
})

/** The first and last instant of a range. Undefined: no bound. Throws "invalid". */
export function rangeOf({ dateFrom, dateTo }: Static<typeof Days>) {
  const from = dateFrom && new Date(dateFrom)
  const to = dateTo && new Date(isDay(dateTo) ? `${dateTo}T23:59:59.999Z` : dateTo)
  if (from && to) {
    if (from > to) throw new Fault("invalid", "dateFrom must not be after dateTo.")
    if (+to - +from > RANGE_MAX_DAYS * DAY_MS) {
      throw new Fault("invalid", `dateFrom and dateTo must span at most ${RANGE_MAX_DAYS} days.`)
    }
  }
  return {
    from: from ? from.toISOString() : undefined,
    to: to ? to.toISOString() : undefined,
  }
}

const isDay = (text: string) => !text.includes("T")

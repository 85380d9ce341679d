import { Type } from "@sinclair/typebox"
import { Fault } from "../../lib/fault"
import { Instant } from "../../lib/fields"

/** The range of a list: UTC days or times, both included. */
export const Dates = Type.Object({
  dateFrom: Type.Optional(Instant),
  dateTo: Type.Optional(Instant),
})

/** The first and the last millisecond of a range. Throws "invalid" if it ends before it begins. */
export function boundsOf({ dateFrom, dateTo }: { dateFrom?: string; dateTo?: string }) {
  const from = dateFrom === undefined ? undefined : new Date(dateFrom).toISOString()
  const to = dateTo === undefined ? undefined : lastOf(dateTo)
  if (from !== undefined && to !== undefined && from > to) {
    throw new Fault("invalid", "dateFrom must not be after dateTo.")
  }
  return { from, to }
}

const lastOf = (text: string) =>
  text.includes("T") ? new Date(text).toISOString() : `${text}T23:59:59.999Z`

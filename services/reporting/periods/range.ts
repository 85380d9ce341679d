import { lengthOf, type Range } from "../../../lib/range"
import { addMs, DAY_MS, dayOf, endOf, HOUR_MS, startOf } from "../../../lib/time"

/** A part of one day, at the start or the end of a range. */
export type Edge = Range & { day: string }

/** Returns the range of equal length directly before this one. */
export function previousRange({ from, to }: Range): Range {
  return { from: addMs(from, -lengthOf({ from, to })), to: addMs(from, -1) }
}

/** Returns every day that the range touches. */
export function daysOf({ from, to }: Range): string[] {
  const days = []
  for (let time = Date.parse(dayOf(from)); time <= Date.parse(to); time += DAY_MS) {
    days.push(utcDay(time))
  }
  return days
}

/**
 * Splits a range into whole days, which have rollups, and its edges, whose events have to be
 * counted. `days` null: the range contains no whole day.
 */
export function splitIntoDays({ from, to }: Range) {
  const [first, last] = [dayOf(from), dayOf(to)]
  const edges: Edge[] = []
  const isFirstWhole = from === startOf(first) && (first !== last || to === endOf(last))
  const isLastWhole = to === endOf(last) && (first !== last || isFirstWhole)

  if (!isFirstWhole) edges.push({ day: first, from, to: first === last ? to : endOf(first) })
  if (!isLastWhole && first !== last) edges.push({ day: last, from: startOf(last), to })

  const from_ms = Date.parse(first) + (isFirstWhole ? 0 : DAY_MS)
  const to_ms = Date.parse(last) - (isLastWhole ? 0 : DAY_MS)
  const days = from_ms <= to_ms ? { first: utcDay(from_ms), last: utcDay(to_ms) } : null
  return { edges, days }
}

/**
 * Splits an edge into whole hours, which have rollups, and its ends, whose events have to be
 * counted. `hours` null: the edge contains no whole hour.
 */
export function splitIntoHours({ from, to }: Range): { hours: Range | null; ends: Range[] } {
  const [from_ms, end_ms] = [Date.parse(from), Date.parse(to) + 1]
  const first_ms = Math.ceil(from_ms / HOUR_MS) * HOUR_MS
  const last_ms = Math.floor(end_ms / HOUR_MS) * HOUR_MS
  if (first_ms >= last_ms) return { hours: null, ends: [{ from, to }] }

  const ends: Range[] = []
  if (from_ms < first_ms) ends.push({ from, to: utcTime(first_ms - 1) })
  if (last_ms < end_ms) ends.push({ from: utcTime(last_ms), to })
  return { hours: { from: utcTime(first_ms), to: utcTime(last_ms - 1) }, ends }
}

const utcTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
const utcDay = (milliseconds: number): string => dayOf(utcTime(milliseconds))

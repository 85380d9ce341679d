import { Fault } from "./fault"

const DAY = "(\\d{4}-\\d\\d-\\d\\d)"
const CLOCK = "(\\d\\d:\\d\\d)(?::(\\d\\d)(?:\\.(\\d{1,9}))?)?"
const OFFSET = "(Z|[+ -]\\d\\d(?::?\\d\\d)?)?"
const TIME = new RegExp(`^${DAY}(?:T${CLOCK}${OFFSET})?$`)
const MINUTE_MS = 60_000

export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const FIRST_TIME = "0001-01-01T00:00:00.000Z"
export const LAST_TIME = "9999-12-31T23:59:59.999Z"

/**
 * Parses a date of a query: a UTC day, of which `edge` selects the first or the last millisecond,
 * or an ISO 8601 time; without an offset, it is UTC. Digits below a millisecond are cut. A `+` that
 * was sent unencoded arrives as a space. Throws "invalid".
 */
export function parseTime(name: string, text: string, edge: "first" | "last"): string {
  const [, day, minute, second = "00", fraction = "", offset = "Z"] = TIME.exec(text) ?? []
  if (!day) throw invalidTime(name)
  if (!minute) return existingTime(name, edge === "first" ? `${day}T00:00:00.000Z` : endOf(day))

  const local = existingTime(
    name,
    `${day}T${minute}:${second}.${fraction.padEnd(3, "0").slice(0, 3)}Z`,
  )
  const time = new Date(Date.parse(local) - offsetMs(name, offset)).toISOString()
  if (time < FIRST_TIME || time > LAST_TIME || time.length !== LAST_TIME.length) {
    throw invalidTime(name)
  }
  return time
}

export const dayOf = (time: string): string => time.slice(0, 10)
export const startOf = (day: string): string => `${day}T00:00:00.000Z`
export const endOf = (day: string): string => `${day}T23:59:59.999Z`
export const addMs = (time: string, ms: number): string =>
  new Date(Date.parse(time) + ms).toISOString()

// Times compare as texts: all are UTC, with milliseconds.
export const latest = (a: string, b: string): string => (a > b ? a : b)
export const earliest = (a: string, b: string): string => (a < b ? a : b)

/** Returns the time if it exists. Date.parse would turn 30 February into another day. */
function existingTime(name: string, time: string): string {
  const milliseconds = Date.parse(time)
  if (time >= FIRST_TIME && !Number.isNaN(milliseconds)) {
    if (new Date(milliseconds).toISOString() === time) return time
  }
  throw invalidTime(name)
}

function offsetMs(name: string, offset: string): number {
  if (offset === "Z") return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))]
  if (hours > 23 || minutes > 59) throw invalidTime(name)
  const offsetMinutes = hours * 60 + (offset.length > 3 ? minutes : 0)
  return (offset.startsWith("-") ? -offsetMinutes : offsetMinutes) * MINUTE_MS
}

const invalidTime = (name: string) =>
  new Fault(
    "invalid",
    `${name} must be a date like 2026-01-31 or a time like 2026-01-31T23:59:59.999Z.`,
  )

import type { Moment } from "./moment"

/** What a value must be, if it cannot be known beforehand. Returns what is wrong with it, or null. */
export type Matcher = (actual: unknown) => string | null

const DAY_MS = 86_400_000
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Compares a reply with what it must be, field by field. Returns the differences. */
export function differences(expected: unknown, actual: unknown, path = "body"): string[] {
  if (typeof expected === "function") {
    const reason = (expected as Matcher)(actual)
    return reason === null ? [] : [`${path}: expected ${reason}, got ${show(actual)}`]
  }
  if (!isTree(expected) || !isTree(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return Object.is(expected, actual)
      ? []
      : [`${path}: expected ${show(expected)}, got ${show(actual)}`]
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...keys].flatMap(key => differences(expected[key], actual[key], `${path}.${key}`))
}

/** A sentence for people that mentions each of these. */
export const text =
  (...parts: string[]): Matcher =>
  actual =>
    typeof actual === "string" && actual.length > 0 && parts.every(part => actual.includes(part))
      ? null
      : `a sentence${parts.map(part => ` with ${show(part)}`).join("")}`

/** An id that the system assigns. The first time it is learned, from then on it is known. */
export function learned<Key extends string>(entity: { [key in Key]: number }, key: Key): Matcher {
  return actual => {
    if (entity[key] !== UNKNOWN) return actual === entity[key] ? null : `${entity[key]}`
    if (!Number.isSafeInteger(actual) || (actual as number) < 1) return "a new id"
    entity[key] = actual as number
    return null
  }
}

export const UNKNOWN = 0

/** A text that the system makes up, known from the first time on. */
export function learnedText<Key extends string>(
  entity: { [key in Key]: string | null },
  key: Key,
  pattern = /./,
): Matcher {
  return actual => {
    if (entity[key] !== "") return actual === entity[key] ? null : show(entity[key])
    if (typeof actual !== "string" || !pattern.test(actual)) return `a text like ${pattern}`
    entity[key] = actual
    return null
  }
}

/** The time of a moment, `plusMs` later. What is learned of the moment stays known. */
export const time =
  (moment: Moment, plusMs = 0): Matcher =>
  actual => {
    const ms = typeof actual === "string" && ISO_TIME.test(actual) ? Date.parse(actual) : Number.NaN
    const at = ms - plusMs
    const { exact, bounds } = moment
    if (exact !== null) return at === exact ? null : showTime(exact + plusMs)
    if (!(bounds.from <= at && at <= bounds.to)) {
      return `a time from ${showTime(bounds.from + plusMs)} to ${showTime(bounds.to + plusMs)}`
    }
    moment.exact = at
    return null
  }

/** The whole days between two moments. */
export const daysBetween =
  (earlier: Moment, later: Moment): Matcher =>
  actual => {
    const least = Math.floor((later.bounds.from - (earlier.exact ?? earlier.bounds.to)) / DAY_MS)
    const most = Math.floor((later.bounds.to - (earlier.exact ?? earlier.bounds.from)) / DAY_MS)
    return actual === least || actual === most ? null : `${least} or ${most}`
  }

export const anything: Matcher = () => null

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

const showTime = (ms: number) => (Number.isNaN(ms) ? "?" : new Date(ms).toISOString())

export const show = (value: unknown): string =>
  typeof value === "function"
    ? (value as Matcher)(undefined)!
    : (JSON.stringify(value) ?? "nothing")

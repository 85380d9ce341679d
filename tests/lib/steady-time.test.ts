import { describe, expect, test } from "bun:test"
import { followClock, type Mark } from "../../lib/steady-time"

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
const NOON = Date.parse("2026-06-01T12:00:00Z")

/** A clock that runs on by `after` and is then off by `by`, as a service sees it. */
function watched(mark: Mark | null = null) {
  const look = followClock(mark)
  let passedMs = 0
  return (after: number, by = 0, processBy = 0) => {
    passedMs += after
    const rightly = NOON + passedMs
    const { step_ms, steady_ms, stepped_ms } = look({
      database_ms: rightly + by,
      process_ms: rightly + processBy,
      running_ms: passedMs,
    })
    return { step_ms, steadyBy: steady_ms - rightly, isDoubted: stepped_ms !== null }
  }
}

const STEADY = { step_ms: 0, steadyBy: 0, isDoubted: false }
const stepped = (by: number) => ({ step_ms: by, steadyBy: 0, isDoubted: true })

describe("a running service", () => {
  test("follows a clock that runs on, however rarely it is read", () => {
    const look = watched()
    expect([look(0), look(SECOND), look(30 * DAY)]).toEqual([STEADY, STEADY, STEADY])
  })

  test("follows corrections of up to a minute", () => {
    const look = watched()
    look(0)
    expect(look(SECOND, 10 * SECOND)).toEqual({ ...STEADY, steadyBy: 10 * SECOND })
    expect(look(SECOND, -10 * SECOND)).toEqual({ ...STEADY, steadyBy: -10 * SECOND })
  })

  test.each([-3 * HOUR, 20 * HOUR, 75 * DAY, 300 * DAY])("doubts a step of %d ms", by => {
    const look = watched()
    look(0)
    expect(look(SECOND, by)).toEqual(stepped(by))
    expect(look(HOUR, by)).toEqual(stepped(by))
    expect(look(SECOND)).toEqual(STEADY) // the clock is right again
  })

  test.each([
    [20 * HOUR, 20 * HOUR],
    [-3 * HOUR, 3 * HOUR],
    [300 * DAY, 7 * DAY],
  ])("believes a step of %d ms once the clock has run on for %d ms", (by, after) => {
    const look = watched()
    look(0)
    look(SECOND, by)
    expect(look(after - 2 * SECOND, by)).toEqual(stepped(by))
    expect(look(2 * SECOND, by)).toEqual({ ...STEADY, steadyBy: by })
  })
})

describe("a start", () => {
  const markOf = (agoMs: number, stepped_ms: number | null = null): Mark => ({
    steady_ms: NOON - agoMs,
    stepped_ms,
  })

  test("takes a pause of up to a day for one, if the clocks agree", () => {
    expect(watched(markOf(20 * HOUR))(0)).toEqual(STEADY)
    expect(watched(markOf(SECOND))(0, 20 * HOUR).isDoubted).toBe(true)
    expect(watched(markOf(2 * DAY))(0).isDoubted).toBe(true)
  })

  test("goes on to doubt what was in doubt before it", () => {
    const look = watched(markOf(SECOND, NOON - HOUR))
    expect(look(0, 20 * HOUR, 20 * HOUR)).toMatchObject({ isDoubted: true })
    expect(look(19 * HOUR + 2 * SECOND, 20 * HOUR, 20 * HOUR)).toMatchObject({ isDoubted: false })
  })

  test("does not doubt a clock without a mark", () => {
    expect(watched()(0, 300 * DAY)).toEqual({ ...STEADY, steadyBy: 300 * DAY })
  })
})

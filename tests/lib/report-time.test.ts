import { describe, expect, test } from "bun:test"
import { rangeOf } from "../../lib/range"
import { parseTime } from "../../lib/time"
import { parsePeriod } from "../../services/reporting/periods/period"
import {
  daysOf,
  previousRange,
  splitIntoDays,
  splitIntoHours,
} from "../../services/reporting/periods/range"

describe("a time in a query", () => {
  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z", "2024-02-29T23:59:59.999Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z", "0001-01-01T23:59:59.999Z"],
    ["9999-12-31", "9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is a whole day", (text, first, last) => {
    expect(parseTime("dateFrom", text, "first")).toBe(first)
    expect(parseTime("dateTo", text, "last")).toBe(last)
  })

  test.each([
    ["2026-01-31T10:20Z", "2026-01-31T10:20:00.000Z"],
    ["2026-01-31T10:20:30", "2026-01-31T10:20:30.000Z"],
    ["2026-01-31T10:20:30.4Z", "2026-01-31T10:20:30.400Z"],
    ["2026-01-31T10:20:30.123999Z", "2026-01-31T10:20:30.123Z"],
    ["2026-01-31T23:20:30-02:30", "2026-02-01T01:50:30.000Z"],
    ["2026-01-31T01:20:30+0230", "2026-01-30T22:50:30.000Z"],
    ["2026-01-31T01:20:30+02", "2026-01-30T23:20:30.000Z"],
    ["2026-01-31T01:20:30 02:00", "2026-01-30T23:20:30.000Z"],
  ])("%s is %s", (text, time) => {
    expect(parseTime("dateFrom", text, "first")).toBe(time)
    expect(parseTime("dateTo", text, "last")).toBe(time)
  })

  test.each([
    ["2026-02-30"],
    ["2026-02-29"],
    ["2026-13-01"],
    ["2026-00-01"],
    ["2026-01-00"],
    ["0000-01-01"],
    ["2026-1-1"],
    ["2026"],
    ["20260131"],
    ["31.01.2026"],
    ["2026-01-31T24:00:00Z"],
    ["2026-01-31T23:60:00Z"],
    ["2026-01-31T23:59:60Z"],
    ["2026-02-30T10:00:00Z"],
    ["2026-01-31T10Z"],
    ["2026-01-31T10:20:30+24:00"],
    ["2026-01-31T10:20:30+02:60"],
    ["2026-01-31T10:20:30 Z"],
    ["2026-01-31 10:20:30"],
    ["2026-01-31Z"],
    [" 2026-01-31"],
    ["2026-01-31\n"],
    ["0001-01-01T00:00:00+00:01"],
    ["9999-12-31T23:59:59-00:01"],
    ["1750000000"],
    ["yesterday"],
    ["٢٠٢٦-٠١-٣١"],
  ])("%p is refused", text => {
    expect(() => parseTime("dateFrom", text, "first")).toThrow("dateFrom must be a date")
  })
})

describe("a range", () => {
  test("may be open, or one millisecond long", () => {
    expect(rangeOf({})).toEqual({
      from: "0001-01-01T00:00:00.000Z",
      to: "9999-12-31T23:59:59.999Z",
    })
    const at = "2026-01-01T00:00:00.001Z"
    expect(rangeOf({ dateFrom: at, dateTo: at })).toEqual({ from: at, to: at })
  })

  test("spans at most 3,660 days", () => {
    expect(rangeOf({ dateFrom: "2016-01-01", dateTo: "2026-01-07" })).toBeDefined()
    expect(() => rangeOf({ dateFrom: "2016-01-01", dateTo: "2026-01-08" })).toThrow("3660 days")
  })

  test("is preceded by one of equal length", () => {
    expect(previousRange(rangeOf({ dateFrom: "2026-03-01", dateTo: "2026-03-31" }))).toEqual({
      from: "2026-01-29T00:00:00.000Z",
      to: "2026-02-28T23:59:59.999Z",
    })
    const at = "2026-01-01T00:00:00.000Z"
    const justBefore = "2025-12-31T23:59:59.999Z"
    expect(previousRange({ from: at, to: at })).toEqual({ from: justBefore, to: justBefore })
  })

  test.each([
    ["whole days", "2026-01-01", "2026-01-03", [], ["2026-01-01", "2026-01-03"]],
    ["one day", "2026-01-01", "2026-01-01", [], ["2026-01-01", "2026-01-01"]],
    ["half a day", "2026-01-01T06:00Z", "2026-01-01", ["2026-01-01"], null],
    ["a morning", "2026-01-01", "2026-01-01T06:00Z", ["2026-01-01"], null],
    ["a night", "2026-01-01T20:00Z", "2026-01-02T06:00Z", ["2026-01-01", "2026-01-02"], null],
    [
      "a late start",
      "2026-01-01T20:00Z",
      "2026-01-02",
      ["2026-01-01"],
      ["2026-01-02", "2026-01-02"],
    ],
    [
      "an early end",
      "2026-01-01",
      "2026-01-02T06:00Z",
      ["2026-01-02"],
      ["2026-01-01", "2026-01-01"],
    ],
    [
      "both",
      "2026-01-01T20:00Z",
      "2026-01-04T06:00Z",
      ["2026-01-01", "2026-01-04"],
      ["2026-01-02", "2026-01-03"],
    ],
    ["the end of time", "9999-12-31T20:00Z", "9999-12-31", ["9999-12-31"], null],
  ])("falls into whole days and ragged edges: %s", (_what, dateFrom, dateTo, edges, days) => {
    const parts = splitIntoDays(rangeOf({ dateFrom, dateTo }))
    expect(parts.edges.map(({ day }) => day)).toEqual(edges)
    expect(parts.days && [parts.days.first, parts.days.last]).toEqual(days)
    const whole = parts.days ? daysOf({ from: parts.days.first, to: parts.days.last }) : []
    expect([...edges, ...whole].sort()).toEqual(daysOf(rangeOf({ dateFrom, dateTo })))
  })
})

describe("an edge", () => {
  const none = null
  test.each([
    [
      "the end of an hour",
      "T10:30Z",
      "T10:59:59.999Z",
      none,
      [["T10:30:00.000Z", "T10:59:59.999Z"]],
    ],
    ["a moment", "T10:00Z", "T10:00Z", none, [["T10:00:00.000Z", "T10:00:00.000Z"]]],
    ["hours alone", "T10:00Z", "T12:59:59.999Z", ["T10:00:00.000Z", "T12:59:59.999Z"], []],
    [
      "both",
      "T09:59:59.999Z",
      "T12:00Z",
      ["T10:00:00.000Z", "T11:59:59.999Z"],
      [
        ["T09:59:59.999Z", "T09:59:59.999Z"],
        ["T12:00:00.000Z", "T12:00:00.000Z"],
      ],
    ],
  ])("falls into whole hours and ragged ends: %s", (_what, dateFrom, dateTo, hours, ends) => {
    for (const day of ["2026-01-01", "9999-12-31"]) {
      const range = rangeOf({ dateFrom: `${day}${dateFrom}`, dateTo: `${day}${dateTo}` })
      const at = ([from, to]: string[]) => ({ from: `${day}${from}`, to: `${day}${to}` })
      expect(splitIntoHours(range)).toEqual({ hours: hours && at(hours), ends: ends.map(at) })
    }
  })
})

describe("a period", () => {
  const now = "2026-03-01T12:00:00.000Z"

  test("defaults to 7 days", () => {
    expect(parsePeriod({})(now, now)).toEqual({
      period: "7d",
      from: "2026-02-23T00:00:00.000Z",
      to: "2026-03-01T23:59:59.999Z",
    })
  })

  test("'all' includes today, even if the program was created a moment later", () => {
    const created_at = "2026-03-02T00:00:00.001Z" // by another server's clock
    expect(parsePeriod({ period: "all" })(now, created_at).from).toBe("2026-03-01T00:00:00.000Z")
  })
})

import { describe, expect, test } from "bun:test"
import { addClicks, type History, newCustomers, newHistory } from "../../support/history"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

const DAY_MS = 24 * 60 * 60 * 1_000

const list = (program: TestProgram, query: string) =>
  send("GET", `/api/tracking/events/${program.program_id}?${query}`, { token: program.session })

describe("the pages of GET /api/tracking/events/:programId", () => {
  test("all pages together have each event of the program once, in order", async () => {
    const program = await newProgram()
    const history = await newHistory(program, { customers: 60, first: "2025-11-20", days: 70 })
    await expectPages(program, history, [
      "",
      "dateFrom=2025-12-01",
      "dateTo=2025-12-24T18:30:00.500Z",
      "dateFrom=2025-12-03T04:05&dateTo=2026-01-10T11:12:13.014%2B02:00",
      "dateFrom=2025-12-03T01:00:00Z&dateTo=2025-12-03T23:00:00Z",
      "dateFrom=2030-01-01",
      "eventType=click&dateFrom=2025-11-30T12:00:00Z",
      "eventType=lead",
      "eventType=conversion&dateTo=2026-01-15",
    ])
  })

  test("all pages are complete across the start of the last seven days", async () => {
    const program = await newProgram()
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
    const history = await newHistory(program, { customers: 60, first: ago(14), days: 14 })
    await expectPages(program, history, [
      "",
      `dateFrom=${ago(1)}`,
      `dateFrom=${ago(8)}`,
      `dateFrom=${ago(7.5)}&dateTo=${ago(6.5)}`,
      `dateTo=${ago(6.9)}`,
      `dateTo=${ago(7.1).slice(0, 10)}`,
      "eventType=lead",
      `eventType=conversion&dateFrom=${ago(10)}&dateTo=${ago(2)}`,
    ])
  })

  test("all pages are complete within busy hours, also for a part of an hour", async () => {
    const program = await newProgram()
    const days = 3 / 24
    const history = await newHistory(program, { customers: 60, first: "2026-01-05T09:00Z", days })
    await expectPages(program, history, [
      "",
      "dateTo=2026-01-05T11:20",
      "dateFrom=2026-01-05T09:40&dateTo=2026-01-05T11:20",
      "eventType=click",
      "eventType=lead",
      "eventType=conversion&dateFrom=2026-01-05T09:40",
    ])
  })

  test("events of the same time have a fixed order", async () => {
    const program = await newProgram()
    const customers = await newCustomers(program, 25)
    const at = "2026-01-01T00:00:00.000Z"
    const clicks = await addClicks(
      program,
      customers.map(customer_id => ({ customer_id, at, page_url: "/" })),
    )
    const ids = (await walk(program, "", 4)).map(({ id }) => id)
    expect(ids).toEqual(clicks.map(({ id }) => id).toReversed())
  })

  test("bounds are inclusive, to the millisecond", async () => {
    const program = await newProgram()
    const [customer_id] = (await newCustomers(program, 1)) as [number]
    const times = ["2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z"]
    await addClicks(
      program,
      times.map(at => ({ customer_id, at, page_url: "/" })),
    )
    for (const [query, expected] of [
      ["dateTo=2026-01-31", [times[0]]],
      ["dateFrom=2026-02-01", [times[1]]],
      ["dateFrom=2026-01-31T23:59:59.999Z&dateTo=2026-01-31T23:59:59.999Z", [times[0]]],
      ["dateFrom=2026-02-01T00:00:00.000Z&dateTo=2026-02-01T00:00:00Z", [times[1]]],
      ["dateFrom=2026-02-01T00:00:00.001Z", []],
      ["dateFrom=2026-02-01T01:00:00 01:00", [times[1]]], // a + that was not encoded
    ] as const) {
      const seen = (await walk(program, query, 10)).map(({ timestamp }) => timestamp)
      expect<unknown[]>([query, ...seen]).toEqual([query, ...expected])
    }
  })

  test("a page past the end is empty, and has the total", async () => {
    const program = await newProgram()
    await newClick(program)
    for (const page of [2, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await list(program, `page=${page}&pageSize=100`)
      expect({ status, body }).toEqual({
        status: 200,
        body: { data: [], meta: { pagination: { page, pageSize: 100, pageCount: 1, total: 1 } } },
      })
    }
  })

  test("a page whose events are too large for one message is complete", async () => {
    const program = await newProgram()
    const [customer_id] = (await newCustomers(program, 1)) as [number]
    const page_url = "\u{1F600}\u0001".repeat(2_000)
    const clicks = await addClicks(
      program,
      Array.from({ length: 150 }, (_, i) => ({
        customer_id,
        at: new Date(Date.parse("2026-03-01") + i).toISOString(),
        page_url,
      })),
    )
    const { status, body } = await list(program, "pageSize=100")
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(
      clicks
        .map(({ id }) => id)
        .toReversed()
        .slice(0, 100),
    )
    expect(body.data[99].page_url).toBe(page_url)
  })

  test("a page of large events has each event once while clicks arrive", async () => {
    const program = await newProgram()
    const url = (host: string) => `https://${host}.example/${"字".repeat(2_000)}`
    const large = {
      page_url: url("shop"),
      referrer_url: url("news"),
      session_id: "字".repeat(1_000),
    }
    for (let i = 0; i < 100; i += 10) {
      await Promise.all(Array.from({ length: 10 }, () => newClick(program, large)))
    }
    let isOver = false
    const clicking = (async () => {
      while (!isOver) await newClick(program, large)
    })()
    try {
      for (let i = 0; i < 10; i++) {
        const { body } = await list(program, "pageSize=100")
        const ids = body.data.map(({ id }: { id: number }) => id)
        expect(ids).toHaveLength(100)
        expect(new Set(ids).size).toBe(100)
      }
    } finally {
      isOver = true
      await clicking
    }
  })
})

type Listed = { id: number; event_type: string; timestamp: string }

/** Expects the pages of each query to be the events of the history that match it. */
async function expectPages(program: TestProgram, history: History, queries: string[]) {
  for (const query of queries) {
    const named = new URLSearchParams(query)
    const eventType = named.get("eventType")
    const expected = eventsOf(history)
      .filter(event => !eventType || event.event_type === eventType)
      .filter(event => isBetween(event.timestamp, named))
    for (const pageSize of [7, 100]) {
      expect(await walk(program, query, pageSize)).toEqual(expected)
    }
  }
}

/** Reads all pages in order. */
async function walk(program: TestProgram, query: string, pageSize: number): Promise<Listed[]> {
  const seen: Listed[] = []
  for (let page = 1; ; page++) {
    const { body } = await list(program, `${query}&page=${page}&pageSize=${pageSize}`)
    const { total, pageCount } = body.meta.pagination
    expect(pageCount).toBe(Math.ceil(total / pageSize))
    if (page > pageCount) {
      expect(body.data).toEqual([])
      expect(seen.length).toBe(total)
      return seen
    }
    seen.push(
      ...body.data.map(({ id, event_type, timestamp }: Listed) => ({ id, event_type, timestamp })),
    )
  }
}

/** The events that a list should show, computed from the rows alone. */
function eventsOf({ clicks, leads, sales }: History): Listed[] {
  const as = (event_type: string, rows: { id: number; at: string }[]) =>
    rows.map(({ id, at }) => ({ id, event_type, timestamp: at }))
  const events = [...as("click", clicks), ...as("lead", leads), ...as("conversion", sales)]
  const compare = (a: string | number, b: string | number) => (a < b ? 1 : a > b ? -1 : 0)
  return events.toSorted(
    (a, b) =>
      compare(a.timestamp, b.timestamp) ||
      compare(a.event_type, b.event_type) ||
      compare(a.id, b.id),
  )
}

function isBetween(time: string, query: URLSearchParams): boolean {
  const bound = (name: string, timeOfDay: string) => {
    const text = query.get(name)
    if (!text) return null
    if (text.length === 10) return Date.parse(`${text}${timeOfDay}`)
    return Date.parse(/(Z|\+\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  }
  const at = Date.parse(time)
  const from = bound("dateFrom", "T00:00:00.000Z") ?? at
  const to = bound("dateTo", "T23:59:59.999Z") ?? at
  return from <= at && at <= to
}

import { describe, expect, test } from "bun:test"
import { addClicks, type History, newCustomers, newHistory } from "./history"
import { newMember } from "./member"
import { newClick, newOwner, newProgram, newProgramOf, type TestProgram } from "./program"
import { send, sql } from "./world"

const DAY_MS = 24 * 60 * 60 * 1_000

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const list = (program: { program_id: number; session?: string }, query = "") =>
  send("GET", `/api/tracking/events/${program.program_id}?${query}`, { token: program.session })

const track = async (what: string, program: TestProgram, body: object) => {
  const answer = await send("POST", `/api/v1/track/${what}`, { token: program.api_token, body })
  expect(answer.status).toBe(200)
  return answer.body
}

describe("GET /api/tracking/events/:programId", () => {
  test("refuses in this order: session, program, permission, query", async () => {
    const program = await newProgram()
    const stranger = await newOwner()
    const billing = await newMember(program, "billing")
    const key = await newKey(program)
    const { program_id } = program

    for (const [status, why, id, token, query] of [
      [403, "no session", program_id, undefined, ""],
      [403, "no session, no program", 999_999_999, undefined, "page=0"],
      [403, "junk", program_id, "junk", ""],
      [403, "a tracking token", program_id, program.api_token, ""],
      [403, "a Management key", program_id, key, ""],
      [403, "a session that nobody has", program_id, `affs_${"0".repeat(38)}`, ""],
      [404, "no program has this id", 999_999_999, program.session, "page=0"],
      [404, "no id", "x", program.session, ""],
      [404, "an id beyond all integers", "9".repeat(30), program.session, ""],
      [403, "another workspace", program_id, stranger.session, "page=0"],
      [403, "no tracking:list", program_id, billing, "page=0"],
      [400, "page 0", program_id, program.session, "page=0"],
      [400, "page is text", program_id, program.session, "page=one"],
      [400, "page has a fraction", program_id, program.session, "page=1.5"],
      [400, "pageSize 0", program_id, program.session, "pageSize=0"],
      [400, "pageSize 101", program_id, program.session, "pageSize=101"],
      [400, "no such eventType", program_id, program.session, "eventType=sale"],
      [400, "a day that does not exist", program_id, program.session, "dateFrom=2026-02-30"],
      [400, "no date", program_id, program.session, "dateTo=yesterday"],
      [400, "a number", program_id, program.session, "dateFrom=1750000000"],
      [400, "it ends first", program_id, program.session, "dateFrom=2026-01-02&dateTo=2026-01-01"],
      [400, "too long", program_id, program.session, "dateFrom=2016-01-01&dateTo=2026-01-09"],
      [400, "NUL", program_id, program.session, "dateFrom=2026-01-01%00"],
    ] as const) {
      const { status: answered, body } = await send("GET", `/api/tracking/events/${id}?${query}`, {
        token,
      })
      expect({ why, status: answered, body }).toEqual({
        why,
        status,
        body: { error: expect.any(String) },
      })
    }
  })

  test("answers each kind of event in its own shape, the newest first", async () => {
    const program = await newProgram()
    const click_id = await newClick(program, {
      session_id: "s1",
      page_url: "https://shop.example/?a=1",
      referrer_url: "https://blog.example/",
      user_agent:
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
        "Chrome/126.0.0.0 Safari/537.36",
    })
    await track("lead", program, { click_id, customer_key: "ann" })
    const { sale_id } = await track("sale", program, {
      transaction_id: `t ${program.program_id}`,
      amount_cents: 4_999,
      currency: "eur",
      customer_key: "ann",
    })

    const { status, body } = await list(program)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: sale_id,
          event_type: "conversion",
          timestamp: ISO,
          click_id,
          amount_cents: 4_999,
          currency: "EUR",
          sale_type: "payment",
          payment_status: "paid",
          processor_event_id: `t ${program.program_id}`,
          is_recurring: false,
          createdAt: ISO,
        },
        {
          id: expect.any(Number),
          event_type: "lead",
          timestamp: ISO,
          click_id,
          customer_key: "ann",
          session_id: "s1",
          page_url: "https://shop.example/?a=1",
          converted: true,
          createdAt: ISO,
        },
        {
          id: expect.any(Number),
          event_type: "click",
          timestamp: ISO,
          click_id,
          session_id: "s1",
          page_url: "https://shop.example/?a=1",
          referrer_url: "https://blog.example/",
          geo_country: null,
          geo_region: null,
          geo_city: null,
          device_type: "desktop",
          device_os: "Windows",
          browser_name: "Chrome",
          converted: true,
          createdAt: ISO,
        },
      ],
      meta: { pagination: { page: 1, pageSize: 10, pageCount: 1, total: 3 } },
    })
  })

  test("counts as converted what came before the customer's first sale", async () => {
    const program = await newProgram()
    const click_id = await newClick(program)
    const convertedIn = async () =>
      (await list(program, "eventType=click")).body.data.map(
        ({ converted }: { converted: boolean }) => converted,
      )
    expect(await convertedIn()).toEqual([false])

    const sale = { transaction_id: `c ${program.program_id}`, amount_cents: 1, click_id }
    await track("sale", program, sale)
    await newClick(program, { existing_click_id: click_id })
    expect(await convertedIn()).toEqual([false, true])
  })

  test("leaves out test events and other programs, and a refund is no event", async () => {
    const program = await newProgram()
    const other = await newProgramOf(program)
    const click_id = await newClick(program)
    await newClick(other)
    const test_mode = { additional_data: { test_mode: true, program_id: program.program_id } }
    await track("click", program, {
      affiliate_url: `https://shop.example/?aff=${program.code}`,
      ...test_mode,
    })
    await track("lead", program, test_mode)
    await track("sale", program, test_mode)
    const sale = { transaction_id: `r ${program.program_id}`, amount_cents: 100, click_id }
    await track("sale", program, sale)
    await track("refund", program, { transaction_id: sale.transaction_id })

    const { body } = await list(program)
    expect(body.data.map((event: { event_type: string }) => event.event_type)).toEqual([
      "conversion",
      "click",
    ])
    expect(body.meta.pagination.total).toBe(2)
  })

  test("shows what was answered before it was asked, every time", async () => {
    const program = await newProgram()
    for (let clicks = 1; clicks <= 50; clicks++) {
      const click_id = await newClick(program)
      const { body } = await list(program, "pageSize=1")
      expect(body.data[0]).toMatchObject({ click_id })
      expect(body.meta.pagination.total).toBe(clicks)
      expect(body.meta).not.toHaveProperty("appliedUntil")
    }
  })

  test("shows to everybody who asks at once what each of them did", async () => {
    const program = await newProgram()
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const click_id = await newClick(program)
        const { body } = await list(program, "pageSize=100")
        expect(body.data).toContainEqual(expect.objectContaining({ click_id }))
      }),
    )
  })

  test("all pages of a still program are all of its events, each once, in order", async () => {
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

  test("the same where some happened in the last seven days, and some before", async () => {
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

  test("events of one moment have one order", async () => {
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

  test("a bound is in the range, to the millisecond", async () => {
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

  test("a page past the end is empty, and knows how many there are", async () => {
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

  test("a page whose events are too large for one message comes whole", async () => {
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

  test("such a page has each event once, while others come", async () => {
    const program = await newProgram()
    const url = (place: string) => `https://${place}.example/${"字".repeat(2_000)}`
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
        const path = `/api/tracking/events/${program.program_id}?pageSize=100`
        const { body } = await send("GET", path, { token: program.session })
        const ids = body.data.map(({ id }: { id: number }) => id)
        expect(ids).toHaveLength(100)
        expect(new Set(ids).size).toBe(100)
      }
    } finally {
      isOver = true
      await clicking
    }
  })

  test("answers what it has while the owner is away, and says how far that reaches", async () => {
    const program = await newProgram()
    await newClick(program)
    expect((await list(program)).body.meta).not.toHaveProperty("appliedUntil")
    const asked_at = new Date().toISOString()

    await sql.begin(async sql => {
      await sql`lock table tracking.affiliate_click_events in access exclusive mode`
      const { status, body } = await list(program)
      expect(status).toBe(200)
      expect(body.meta.pagination.total).toBe(1)
      expect(body.meta.appliedUntil).toEqual(ISO)
      expect(body.meta.appliedUntil > new Date(Date.parse(asked_at) - 60_000).toISOString()).toBe(
        true,
      )
    })

    expect((await list(program)).body.meta).not.toHaveProperty("appliedUntil")
  })
})

type Listed = { id: number; event_type: string; timestamp: string }

/** All pages, one after the other. */
/** That the pages of each query are the events of a history that it names. */
async function expectPages(program: TestProgram, history: History, queries: string[]) {
  for (const query of queries) {
    const named = new URLSearchParams(query)
    const event_type = named.get("eventType")
    const expected = eventsOf(history)
      .filter(event => !event_type || event.event_type === event_type)
      .filter(event => isBetween(event.timestamp, named))
    for (const pageSize of [7, 100]) {
      expect(await walk(program, query, pageSize)).toEqual(expected)
    }
  }
}

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

/** What a listing should show, worked out from the rows alone. */
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
  const bound = (name: string, of_day: string) => {
    const text = query.get(name)
    if (!text) return null
    if (text.length === 10) return Date.parse(`${text}${of_day}`)
    return Date.parse(/(Z|\+\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  }
  const at = Date.parse(time)
  const from = bound("dateFrom", "T00:00:00.000Z") ?? at
  const to = bound("dateTo", "T23:59:59.999Z") ?? at
  return from <= at && at <= to
}

async function newKey(program: TestProgram): Promise<string> {
  const { body } = await send("POST", "/api/advertiser/api-keys", {
    token: program.session,
    body: { name: "key" },
  })
  return body.data?.key ?? `affk_${"0".repeat(38)}`
}

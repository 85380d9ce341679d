import { beforeAll, describe, expect, test } from "bun:test"
import { newHistory } from "../../support/history"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { eventsOf, type Recorded, rowsOf } from "../../support/source-rows"
import { send, sql } from "../../support/world"

const FIRST = "2026-02-27"
const DAYS = 7 // over the end of a month

type Row = Record<string, unknown>
type Found = { id: number; event_type: string; timestamp: string }

let program: TestProgram
let second: Awaited<ReturnType<typeof newPartner>>
let rows: Recorded
let anySale: Row

const list = (query: string, of = program, headers: Record<string, string> = {}) =>
  send("GET", `/api/tracking/events/${of.program_id}?${query}`, { token: of.session, headers })

beforeAll(async () => {
  program = await newProgram()
  second = await newPartner(program)
  const size = { first: FIRST, days: DAYS }
  await newHistory(program, { customers: 150, ...size })
  await newHistory({ ...program, ...second }, { customers: 40, ...size })
  while ((await list("")).body.meta.appliedUntil) await Bun.sleep(100)
  rows = await rowsOf(sql as never, program.program_id)
  anySale = rows.conversion[3]!
}, 60_000)

/** The events that match, from the tables of their owner. */
function expectedOf(matches: (row: Row) => boolean, filter: Parameters<typeof eventsOf>[1] = {}) {
  const [click, lead, conversion] = [rows.click, rows.lead, rows.conversion].map(of =>
    of.filter(matches),
  )
  return eventsOf({ ...rows, click, lead, conversion } as Recorded, filter).map(named)
}
const named = ({ id, event_type, timestamp }: Found) => ({ id, event_type, timestamp })

/** All events of a listing, page by page, and the total that each page states. */
async function walk(query: string, pageSize = 37) {
  const found: Found[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await list(`${query}&pageSize=${pageSize}&page=${page}`)
    expect({ query, status }).toEqual({ query, status: 200 })
    found.push(...body.data)
    if (page >= body.meta.pagination.pageCount) {
      expect({ query, total: body.meta.pagination.total }).toEqual({ query, total: found.length })
      return found.map(named)
    }
  }
}

const FILTERS: [string, () => string, (row: Row) => boolean][] = [
  [
    "a partner",
    () => `partner_id=${second.partner_id}`,
    row => row.partner_id === second.partner_id,
  ],
  ["a link", () => `link_id=${program.link_id}`, row => row.link_id === program.link_id],
  ["a country", () => "country=DE", row => row.geo_country === "DE"],
  [
    "a transaction",
    () => `transaction_id=${encodeURIComponent(`${anySale.transaction_id}`)}`,
    row => row.transaction_id === anySale.transaction_id,
  ],
  [
    "a partner in a country",
    () => `partner_id=${program.partner_id}&country=US`,
    row => row.partner_id === program.partner_id && row.geo_country === "US",
  ],
  ["another program's partner", () => "partner_id=999999999", () => false],
  [
    "a transaction of another partner",
    () => `transaction_id=x&partner_id=${second.partner_id}`,
    () => false,
  ],
]

describe.each(FILTERS)("events of %s", (_what, query, matches) => {
  test("are those of the owner's tables, on every page, with their total", async () => {
    expect(await walk(query())).toEqual(expectedOf(matches))
  })

  test.each(["click", "lead", "conversion"])("also of one type: %s", async eventType => {
    const expected = expectedOf(matches, { event_type: eventType })
    expect(await walk(`${query()}&eventType=${eventType}`)).toEqual(expected)
  })

  test.each([
    ["whole days", "2026-02-28", "2026-03-02", "T00:00:00.000Z", "T23:59:59.999Z"],
    ["parts of days", "2026-02-28T05:30:00.000Z", "2026-03-02T17:10:30.000Z", "", ""],
    ["a part of one day", "2026-03-01T05:30:00.000Z", "2026-03-01T17:10:30.000Z", "", ""],
  ])("also in %s", async (_range, dateFrom, dateTo, start, end) => {
    const expected = expectedOf(matches, { from: dateFrom + start, to: dateTo + end })
    expect(await walk(`${query()}&dateFrom=${dateFrom}&dateTo=${dateTo}`, 5)).toEqual(expected)
  })

  test("are all in the export", async () => {
    const { body } = await list(`${query()}&format=csv`)
    const lines = (body as string).split("\r\n").slice(1, -1)
    const expected = expectedOf(matches).map(({ id, event_type }) => `${id},${event_type}`)
    expect(lines.map(line => line.split(",", 2).join(","))).toEqual(expected)
  })
})

describe("events of a customer_key", () => {
  test("are the clicks, lead and sales of the customer who has it, and of no other", async () => {
    const shop = await newProgram()
    const buy = async (customer_key: string) => {
      const click_id = await newClick(shop)
      await newClick(shop, { existing_click_id: click_id })
      const token = shop.api_token
      const sale = { customer_key, transaction_id: `${customer_key} ${click_id}`, amount_cents: 5 }
      for (const [what, body] of [
        ["lead", { click_id, customer_key }],
        ["sale", sale],
      ] as const) {
        expect((await send("POST", `/api/v1/track/${what}`, { token, body })).status).toBe(200)
      }
    }
    await buy("ada & co")
    await buy("bob")
    const { body } = await list(`customer_key=${encodeURIComponent("ada & co")}`, shop)
    const types = body.data.map(({ event_type }: Found) => event_type)
    expect(types).toEqual(["conversion", "lead", "click", "click"])
    expect(body.data[1].customer_key).toBe("ada & co")
    expect(body.meta.pagination.total).toBe(4)

    const narrowed = await list("customer_key=bob&eventType=click", shop)
    expect(narrowed.body.meta.pagination.total).toBe(2)
    expect((await list("customer_key=bob")).body.data).toEqual([]) // a customer of another program
    expect((await list("customer_key=carol", shop)).body.meta.pagination.total).toBe(0)
  })
})

describe("test=true", () => {
  let shop: TestProgram
  const track = (what: string, fields: object) =>
    send("POST", `/api/v1/track/${what}`, {
      token: shop.api_token,
      body: { ...fields, additional_data: { test_mode: true } },
    })
  beforeAll(async () => {
    shop = await newProgram()
    await newClick(shop)
    await track("click", {
      affiliate_url: "https://a.example/?aff=x",
      page_url: "https://a.example",
    })
    await track("lead", { customer_key: "ada", click_id: "clk_x" })
    await track("sale", { customer_key: "ada", transaction_id: "t1", amount_cents: 5 })
    await track("sale", {})
  })

  test("lists test events alone, newest first", async () => {
    const { body } = await list("test=true", shop)
    expect(body.meta.pagination).toEqual({ page: 1, pageSize: 10, pageCount: 1, total: 4 })
    expect(body.data).toMatchObject([
      { event_type: "conversion", processor_event_id: null, amount_cents: null, is_test: true },
      { event_type: "conversion", processor_event_id: "t1", amount_cents: 5, currency: "USD" },
      { event_type: "lead", customer_key: "ada", click_id: "clk_x", converted: false },
      { event_type: "click", page_url: "https://a.example", click_id: null, converted: false },
    ])
  })

  test.each([
    ["test=false", 1],
    ["", 1],
    ["test=true&eventType=lead", 1],
    ["test=true&customer_key=ada", 2],
    ["test=true&transaction_id=t1", 1],
    ["test=true&partner_id=1", 0],
    ["test=true&country=DE", 0],
    ["test=true&dateTo=2026-01-01", 0],
  ])("%s: %i", async (query, total) => {
    const { body } = await list(query, shop)
    expect(body.meta.pagination.total).toBe(total)
    expect(body.data).toHaveLength(total)
  })

  test("pages and exports them all", async () => {
    const pages = await Promise.all(
      [1, 2].map(page => list(`test=true&pageSize=3&page=${page}`, shop)),
    )
    const paged = pages.flatMap(({ body }) => body.data.map(({ id }: Found) => id))
    const { body } = await list("test=true&format=csv", shop)
    const exported = (body as string)
      .split("\r\n")
      .slice(1, -1)
      .map(line => Number.parseInt(line, 10))
    expect(exported).toEqual(paged)
    expect(paged).toHaveLength(4)
  })
})

test.each([
  "partner_id=0",
  "partner_id=x",
  "link_id=1.5",
  "country=Germany",
  "country=de",
  "test=maybe",
  `customer_key=${"x".repeat(256)}`,
  "transaction_id=%00",
])("400: %s", async query => {
  const { status, body } = await list(query)
  expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
})

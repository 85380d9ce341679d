import { describe, expect, test } from "bun:test"
import { sell } from "../../support/books"
import { type Fact, factsOf, recount } from "../../support/breakdown-recount"
import { addSales, newCustomers, newHistory } from "../../support/history"
import { newMember } from "../../support/member"
import { newClick, newOwner, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const DIMENSIONS = ["partner", "link", "country", "device", "browser", "referrer", "sub_id"]

const show = (program: { program_id: number; session?: string }, query = "") =>
  send("GET", `/api/tracking/breakdown/${program.program_id}?${query}`, { token: program.session })

/** Returns all rows, read page by page. */
async function rowsOf(program: TestProgram, query: string) {
  const rows: any[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await show(program, `${query}&pageSize=7&page=${page}`)
    expect(status).toBe(200)
    rows.push(...body.data)
    if (page >= body.meta.pagination.pageCount) {
      expect(rows.length).toBe(body.meta.pagination.total)
      return rows
    }
  }
}

describe("GET /api/tracking/breakdown/:programId", () => {
  test("refuses in this order: session, program, permission, query", async () => {
    const program = await newProgram()
    const stranger = await newOwner()
    const billing = await newMember(program, "billing")
    const { program_id, session } = program

    for (const [status, why, id, token, query] of [
      [401, "no session", program_id, undefined, ""],
      [401, "no session, no program", 999_999_999, undefined, "by=moon"],
      [401, "a tracking token", program_id, program.api_token, ""],
      [401, "a Management key", program_id, `affk_${"0".repeat(38)}`, ""],
      [404, "no program has this id", 999_999_999, session, "by=moon"],
      [404, "an invalid id", "x", session, ""],
      [403, "another workspace", program_id, stranger.session, "by=moon"],
      [403, "no tracking:list", program_id, billing, "by=moon"],
      [400, "no such dimension", program_id, session, "by=moon"],
      [400, "a property of every object", program_id, session, "by=constructor"],
      [400, "no such order", program_id, session, "order=up"],
      [400, "no such sort", program_id, session, "sort=value"],
      [400, "no such period", program_id, session, "period=1d"],
      [400, "dateFrom alone", program_id, session, "dateFrom=2026-01-01"],
      [
        400,
        "a day that does not exist",
        program_id,
        session,
        "dateFrom=2026-02-29&dateTo=2026-03-01",
      ],
      [400, "too long", program_id, session, "dateFrom=2006-01-01&dateTo=2026-01-01"],
      [400, "page 0", program_id, session, "page=0"],
      [400, "pageSize 101", program_id, session, "pageSize=101"],
      [400, "NUL", program_id, session, "by=%00"],
    ] as const) {
      const { status: answered, body } = await send(
        "GET",
        `/api/tracking/breakdown/${id}?${query}`,
        { token },
      )
      expect({ why, status: answered, body }).toEqual({
        why,
        status,
        body: { error: expect.any(String) },
      })
    }
  })

  test("defaults to partners and the last seven days, the most clicks first", async () => {
    const program = await newProgram()
    const { status, body } = await show(program)
    expect(status).toBe(200)
    const today = new Date().toISOString().slice(0, 10)
    expect(body).toEqual({
      data: [],
      meta: {
        by: "partner",
        period: "7d",
        dateFrom: expect.stringMatching(/T00:00:00.000Z$/),
        dateTo: `${today}T23:59:59.999Z`,
        pagination: { page: 1, pageSize: 10, pageCount: 0, total: 0 },
      },
    })
    const beyond = await show(program, "page=1000000")
    expect(beyond.body.data).toEqual([])
  })

  test("equals a recount for every range, and adds up to the performance report", async () => {
    const program = await newProgram()
    const first = { customers: 120, first: "2025-12-25", days: 40, currencies: ["USD", "JPY"] }
    await newHistory(program, first)
    await newHistory({ ...program, ...(await newPartner(program)) }, { ...first, customers: 60 })
    const facts = await factsOf(program.program_id)
    while ((await show(program)).body.meta.appliedUntil) await Bun.sleep(100)

    for (const dates of [
      "dateFrom=2026-01-01&dateTo=2026-01-20",
      "dateFrom=2026-01-03T07:30:00Z&dateTo=2026-01-21T18:45:00Z",
      "dateFrom=2026-01-03T07:30:00Z&dateTo=2026-01-03T19:00:00Z",
      "dateFrom=2026-01-03T12:00:00Z&dateTo=2026-01-04T11:59:59.999Z",
      "dateFrom=2025-01-01&dateTo=2026-12-31",
    ]) {
      const { metrics, meta } = (
        await send("GET", `/api/tracking/performance/${program.program_id}?${dates}`, {
          token: program.session,
        })
      ).body
      for (const by of DIMENSIONS) {
        const rows = await rowsOf(program, `by=${by}&${dates}`)
        expect(rows, `${by} ${dates}`).toEqual(
          recount(facts, by, meta.dateFrom, meta.dateTo).map(expected => ({
            ...expected,
            label: by === "partner" ? "Partner" : by === "link" ? expect.any(String) : null,
          })),
        )
        expect(sumOf(rows), `${by} ${dates}`).toEqual({
          clicks: metrics.totalClicks,
          leads: metrics.totalLeads,
          conversions: metrics.totalConversions,
          revenue: metrics.totalRevenue,
          commission: metrics.totalPartnersCommission,
          others: meta.otherCurrencies.filter((sum: any) => sum.revenue + sum.commission > 0),
        })
      }
    }
  }, 60_000)

  test.each(["clicks", "leads", "conversions", "revenue", "commission", "conversionRate"])(
    "is sorted by %s in both orders, then by value",
    async sort => {
      const program = await sortable()
      const dates = "dateFrom=2026-01-01&dateTo=2026-01-31"
      for (const [order, sign] of [
        ["desc", -1],
        ["asc", 1],
      ] as const) {
        const rows = await rowsOf(program, `by=sub_id&${dates}&sort=${sort}&order=${order}`)
        const text = (value: string | null) => value ?? ""
        const sorted = rows.toSorted(
          (a, b) => sign * (a[sort] - b[sort]) || (text(a.value) < text(b.value) ? -1 : 1),
        )
        expect(rows.length).toBeGreaterThan(20)
        expect(rows.map(row => row.value)).toEqual(sorted.map(row => row.value))
      }
    },
  )
})

let sorting: Promise<TestProgram> | undefined

function sortable(): Promise<TestProgram> {
  sorting ??= newProgram().then(async program => {
    await newHistory(program, { customers: 150, first: "2026-01-01", days: 30 })
    return program
  })
  return sorting
}

describe("A breakdown", () => {
  test("attributes leads and sales to their click, not to a later one", async () => {
    const program = await newProgram()
    const other = await newPartner(program, { name: "Zoë" })
    const click_id = await newClick(program, {
      affiliate_url: `https://shop.example/?aff=${other.code}&subid=spring`,
      referrer_url: "https://News.example:8080/path?q=1",
      user_agent: CHROME,
    })
    await track("lead", program, { customer_key: "ada", click_id })
    await track("sale", program, { customer_key: "ada", transaction_id: unique(), ...PRICE })
    const again = { existing_click_id: click_id }
    await newClick(program, { ...again, referrer_url: "android-app://com.mail/inbox" })
    await track("sale", program, { customer_key: "ada", transaction_id: unique(), ...PRICE })

    const funnel = { leads: 1, conversions: 1, revenue: 20, commission: 6, conversionRate: 100 }
    const none = { leads: 0, conversions: 0, revenue: 0, commission: 0, conversionRate: 0 }
    for (const [by, brought, later] of [
      ["partner", { value: other.partner_id, label: "Zoë" }, program.partner_id],
      ["link", { value: other.link_id, label: other.code }, program.link_id],
      ["referrer", { value: "news.example", label: null }, "com.mail"],
      ["sub_id", { value: "spring", label: null }, null],
      ["browser", { value: "Chrome", label: null }, null],
      ["device", { value: "desktop", label: null }, null],
    ] as const) {
      const rows = await rowsOf(program, `by=${by}&sort=revenue`)
      expect(rows, by).toMatchObject([
        { ...brought, clicks: 1, ...funnel, otherCurrencies: [] },
        { value: by === "device" ? expect.anything() : later, clicks: 1, ...none },
      ])
    }
    expect(await rowsOf(program, "by=country")).toMatchObject([{ value: null, clicks: 2 }])
  })

  test("attributes a renewal to the click of its first sale", async () => {
    const program = await newProgram()
    const subscription = { subscription_id: unique(), is_recurring: true, ...PRICE }
    const click_id = await newClick(program, { affiliate_url: url(program, "sub=first") })
    await track("sale", program, { click_id, transaction_id: unique(), ...subscription })
    await sql`
      update tracking.customers
      set attributed_at = now() - interval '90 days'
      where click_id = ${click_id}
    `
    await newClick(program, {
      affiliate_url: url(program, "sub=second"),
      existing_click_id: click_id,
    })
    await track("sale", program, { click_id, transaction_id: unique(), ...subscription })
    await track("sale", program, { click_id, transaction_id: unique(), ...PRICE })

    expect(await rowsOf(program, "by=sub_id&sort=revenue")).toMatchObject([
      { value: "first", clicks: 1, conversions: 1, revenue: 20, commission: 6 },
      { value: "second", clicks: 1, conversions: 0, revenue: 10, commission: 3 },
    ])
  })

  test("attributes a commission that comes before its sale once the sale is there", async () => {
    const program = await newProgram()
    const [customer] = await newCustomers(program, 1)
    const [{ id }] = await sql<[{ id: number }]>`
      select nextval('tracking.affiliate_sale_events_id_seq') as id
    `
    await sql`
      insert into commissions.commissions (
        sale_id, program_id, partner_id, transaction_id, sale_date, policy_id, amount_cents,
        currency, auto_approve, hold_ends_at
      )
      select
        ${id}, ${program.program_id}, ${program.partner_id}, ${unique()}, now(),
        (select min(id) from commissions.policies), 300, 'USD', false, now()
    `
    expect(await rowsOf(program, "by=link")).toMatchObject([{ value: null, commission: 3 }])
    expect(await rowsOf(program, "by=partner")).toMatchObject([
      { value: program.partner_id, commission: 3 },
    ])

    const sale = { customer_id: customer!, amount_cents: 1_000, currency: "USD", converts: true }
    await sql`select setval('tracking.affiliate_sale_events_id_seq', ${id - 1})`
    const [stored] = await addSales(program, [{ ...sale, at: new Date().toISOString() }])
    expect(stored!.id).toBe(id)
    expect(await rowsOf(program, "by=link")).toMatchObject([
      { value: program.link_id, revenue: 10, commission: 3, conversions: 1 },
    ])
  })

  test.each([
    ["sub", "sub=a", "a"],
    ["subid", "subid=b", "b"],
    ["sub_id", "sub_id=c", "c"],
    ["the first of sub, subid and sub_id", "sub_id=c&subid=b&sub=a", "a"],
    ["sub_id if sub is empty", "sub=&sub_id=c", "c"],
    ["sub1 before its other names", "s1=d&sub=a&sub1=e", "e"],
    ["s1", "s1=d", "d"],
    ["aff_sub", "aff_sub=f", "f"],
    ["the first of two", "sub=a&sub=b", "a"],
    ["an escaped value", "sub=%C3%A4%20%2B1", "ä +1"],
    ["255 of 300 characters", `sub=${"😀".repeat(300)}`, "😀".repeat(255)],
    ["nothing from SUB", "SUB=a", null],
    ["nothing after the #", "x=1#sub=a", null],
    ["nothing with a NUL", "sub=a%00b", null],
  ])("takes the sub id from affiliate_url: %s", async (_what, query, value) => {
    const program = await newProgram()
    await newClick(program, { affiliate_url: url(program, query) })
    expect(await rowsOf(program, "by=sub_id")).toMatchObject([{ value, clicks: 1 }])
  })

  test("counts no test events, and none of other programs", async () => {
    const program = await newProgram()
    const other = await newProgram()
    await newClick(other)
    await track("click", program, {
      affiliate_url: url(program, "sub=test"),
      additional_data: { test_mode: true },
    })
    for (const by of DIMENSIONS) expect(await rowsOf(program, `by=${by}`)).toEqual([])
  })

  test("includes every event confirmed before, also in other currencies", async () => {
    const program = await newProgram()
    for (let sale = 1; sale <= 5; sale++) {
      await sell(program, program.code, { amount_cents: 1_000, currency: "EUR" })
      const [row] = await rowsOf(program, "by=partner")
      expect(row).toMatchObject({
        clicks: sale,
        conversions: sale,
        revenue: 0,
        commission: 0,
        otherCurrencies: [{ currency: "EUR", revenue: 10 * sale, commission: 3 * sale }],
      })
    }
  })
})

const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
const PRICE = { amount_cents: 1_000 }

let count = 0
const unique = () => `breakdown-${process.pid}-${Date.now()}-${++count}`
const url = ({ code }: TestProgram, query: string) => `https://shop.example/?aff=${code}&${query}`

async function track(what: string, program: TestProgram, body: object) {
  const answer = await send("POST", `/api/v1/track/${what}`, { token: program.api_token, body })
  expect(answer.status).toBe(200)
}

/** Adds up rows. Sums are rounded to cents, against the errors of floating point. */
function sumOf(rows: Fact[]) {
  const sum = (of: (row: any) => number) =>
    Math.round(100 * rows.reduce((sum, row) => sum + of(row), 0)) / 100
  const currencies = [
    ...new Set(rows.flatMap((row: any) => row.otherCurrencies.map((o: any) => o.currency))),
  ]
  const other = (row: any, currency: string) =>
    row.otherCurrencies.find((other: any) => other.currency === currency) ?? {
      revenue: 0,
      commission: 0,
    }
  return {
    clicks: sum(row => row.clicks),
    leads: sum(row => row.leads),
    conversions: sum(row => row.conversions),
    revenue: sum(row => row.revenue),
    commission: sum(row => row.commission),
    others: currencies.map(currency => ({
      currency,
      revenue: sum(row => other(row, currency).revenue),
      commission: sum(row => other(row, currency).commission),
    })),
  }
}

import { describe, expect, test } from "bun:test"
import { newHistory } from "../../support/history"
import { newMember } from "../../support/member"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql, url } from "../../support/world"

const CSV = { accept: "text/csv" }
const REPORTS = ["events", "breakdown"]

const request = (program: TestProgram, path: string, headers: Record<string, string> = CSV) =>
  send("GET", `/api/tracking/${path}`, { token: program.session, headers })

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

/** Parses CSV into rows of text; an empty field is null. Throws if it is not CSV. */
function parse(text: string): Record<string, string | null>[] {
  const lines: (string | null)[][] = [[]]
  for (FIELD.lastIndex = 0; FIELD.lastIndex < text.length; ) {
    const [, quoted, plain, end] = FIELD.exec(text) as unknown as string[]
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain || null))
    if (end === "\r\n") lines.push([])
  }
  const [head = [], ...rows] = lines.slice(0, -1)
  return rows.map(row => Object.fromEntries(head.map((name, i) => [name, row[i] ?? null])))
}

/** A row of JSON as it is in CSV, without its empty fields. */
const asCsv = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      ]),
  )
const withoutEmptyFields = (row: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** Waits until reports are up to date: a history takes more than a second to apply. */
async function waitUntilCaughtUp(program: TestProgram) {
  while ((await request(program, `breakdown/${program.program_id}`, {})).body.meta.appliedUntil) {
    await Bun.sleep(100)
  }
}

async function allRows(program: TestProgram, path: string) {
  const rows: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const { body } = await request(program, `${path}&pageSize=100&page=${page}`, {})
    rows.push(...body.data)
    if (page >= body.meta.pagination.pageCount) return rows
  }
}

describe("?format=", () => {
  const typeOf = async (program: TestProgram, path: string, headers = {}) =>
    (await request(program, path, headers)).headers.get("content-type")?.split(";")[0]

  test.each(REPORTS)("asks for CSV or JSON, whatever Accept says: %s", async report => {
    const program = await newProgram()
    const path = `${report}/${program.program_id}`
    expect(await typeOf(program, `${path}?format=csv`)).toBe("text/csv")
    expect(await typeOf(program, `${path}?format=json`, CSV)).toBe("application/json")
    expect((await request(program, `${path}?format=xml`)).status).toBe(400)
  })
})

describe("Accept: text/csv", () => {
  test.each(REPORTS)("is refused like a request for JSON, and in JSON: %s", async report => {
    const program = await newProgram()
    const billing = await newMember(program, "billing")
    const { program_id, session } = program
    for (const [status, id, token, query] of [
      [report === "events" ? 403 : 401, program_id, undefined, ""],
      [404, 999_999_999, session, "page=0"],
      [403, program_id, billing, "page=0"],
      [400, program_id, session, "page=0"],
      [400, program_id, session, "dateFrom=2026-02-30&dateTo=2026-03-01"],
      [400, program_id, session, "eventType=sale&by=moon"],
    ] as const) {
      const path = `/api/tracking/${report}/${id}?${query}`
      const answer = await send("GET", path, { token, headers: CSV })
      expect({ ...answer, headers: null }, path).toEqual({
        status,
        headers: null,
        body: { error: expect.any(String) },
      })
    }
  })

  test.each([
    ["text/csv", true],
    ["TEXT/CSV;charset=utf-8", true],
    ["text/html, text/csv;q=0.9, */*;q=0.8", true],
    ["application/json;q=0.5, text/csv;q=0.6", true],
    ["text/csv, application/json", false],
    ["text/csv;q=0", false],
    ["text/csv;q=x", false],
    ["*/*", false],
    ["text/*", false],
    ["image/png", false],
    ["", false],
  ])("%p is answered with CSV: %p", async (accept, isCsv) => {
    const program = await newProgram()
    for (const report of REPORTS) {
      const answer = await request(program, `${report}/${program.program_id}`, { accept })
      expect(answer.status).toBe(200)
      const type = isCsv
        ? "text/csv; charset=utf-8; header=present"
        : "application/json;charset=utf-8"
      expect(answer.headers.get("content-type")).toBe(type)
    }
  })

  test("names the file, and has a header line even without rows", async () => {
    const program = await newProgram()
    const { program_id } = program
    for (const [path, file, first] of [
      [`events/${program_id}`, `events-${program_id}.csv`, "id,event_type,timestamp,click_id,"],
      [
        `breakdown/${program_id}?by=country`,
        `breakdown-country-${program_id}.csv`,
        "value,label,clicks,leads,conversions,revenue,commission,conversionRate,otherCurrencies\r\n",
      ],
    ] as const) {
      const { headers, body } = await request(program, path)
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${file}"`)
      expect(headers.get("x-request-id")).toBeTruthy()
      expect(headers.get("cache-control")).toBe("no-store")
      expect(body).toStartWith(first)
      expect(parse(body)).toEqual([])

      const head = await send("HEAD", `/api/tracking/${path}`, {
        token: program.session,
        headers: CSV,
      })
      expect(head).toMatchObject({ status: 200, body: "" })
      expect(head.headers.get("content-type")).toStartWith("text/csv")
    }
  })

  test("has all events that match the filters, in the order of the list", async () => {
    const program = await newProgram()
    await newHistory(program, { customers: 1_300, first: "2026-01-01", days: 30 })
    await waitUntilCaughtUp(program)
    for (const query of [
      "",
      "eventType=lead",
      "eventType=click&dateFrom=2026-01-05T05:00:00Z",
      "dateFrom=2026-01-10&dateTo=2026-01-11",
    ]) {
      const path = `events/${program.program_id}?${query}`
      const { body, headers } = await request(program, `${path}&page=2&pageSize=1`)
      expect(headers.get("x-applied-until")).toBeNull()
      const rows = await allRows(program, path)
      expect(parse(body).map(withoutEmptyFields), query).toEqual(rows.map(asCsv))
    }
  }, 60_000)

  test("has all rows of a breakdown, in the order of their values", async () => {
    const program = await newProgram()
    const size = { customers: 100, first: "2026-01-01", days: 30, currencies: ["USD", "EUR"] }
    await newHistory(program, size)
    await newHistory({ ...program, ...(await newPartner(program)) }, size)
    await waitUntilCaughtUp(program)
    const text = (value: unknown) => String(value ?? "")
    for (const by of ["partner", "link", "country", "sub_id"]) {
      for (const dates of [
        "dateFrom=2026-01-01&dateTo=2026-01-31",
        "dateFrom=2026-01-05T05:00:00Z&dateTo=2026-01-25T20:00:00Z",
      ]) {
        const path = `breakdown/${program.program_id}?by=${by}&${dates}`
        const { body } = await request(program, `${path}&sort=revenue`)
        const rows = await allRows(program, path)
        rows.sort((a, b) => (text(a.value) < text(b.value) ? -1 : 1))
        expect(parse(body).map(withoutEmptyFields), path).toEqual(rows.map(asCsv))
      }
    }
  }, 60_000)

  test("has a row for each value, also in several parts", async () => {
    const program = await newProgram()
    const { program_id } = program
    await sql`
      insert into reporting.daily_breakdown (program_id, dimension, value, day, currency, clicks)
      select ${program_id}, 'sub_id', repeat('é', 250) || n, current_date - m, '', n
      from generate_series(1, 5000) as n, generate_series(0, 1) as m
    `
    const { body } = await request(program, `breakdown/${program_id}?by=sub_id`)
    const rows = parse(body)
    expect(rows.length).toBe(5_000)
    expect(new Set(rows.map(row => row.value)).size).toBe(5_000)
    expect(rows.reduce((sum, row) => sum + Number(row.clicks), 0)).toBe(2 * 12_502_500)
    await sql`delete from reporting.daily_breakdown where program_id = ${program_id}`
  })

  test("names each of many partners with long names", async () => {
    const { program_id, session, partner_id } = await newProgram()
    const name = "字".repeat(255)
    await sql`
      with new_partners as (
        insert into commissions.partners select from generate_series(1, 2000) returning id
      ),
      known as (
        insert into commissions.partner_programs (
          program_id, partner_id, email, name, group_id, version, final_xact
        )
        select
          program_id, new_partners.id, new_partners.id || '@example.com', ${name}, group_id, 1,
          pg_current_xact_id()
        from new_partners, commissions.partner_programs
        where program_id = ${program_id} and partner_id = ${partner_id}
        returning partner_id
      )
      insert into reporting.daily_breakdown (program_id, dimension, value, day, currency, clicks)
      select ${program_id}, 'partner', partner_id, current_date, '', 1
      from known
    `
    const path = `/api/tracking/breakdown/${program_id}?by=partner`
    const { body } = await send("GET", path, { token: session, headers: CSV })
    expect(parse(body).filter(row => row.label === name)).toHaveLength(2_000)
    await sql`delete from reporting.daily_breakdown where program_id = ${program_id}`
  }, 20_000)

  test.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    [";x", "';x"],
    ["＝1+1", "'＝1+1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["a;=1+1;@b", "a;'=1+1;'@b"], // where ; separates cells, quotes in the line's middle are text
    ["a\t=1+1", "a\t'=1+1"],
    ['a;"=1+1', "a;'\"=1+1"],
    ["a;  =1+1", "a;'  =1+1"],
    [" =1+1", "' =1+1"],
    ["\u200b=1+1", "'\u200b=1+1"],
    ["two\r\n=1+1", "two\r\n'=1+1"],
    ["a; b", "a; b"],
    ['say "no", or', 'say "no", or'],
    ["two\r\nlines", "two\r\nlines"],
    ["'already", "'already"],
    ["a=1", "a=1"],
    ["ä😀", "ä😀"],
  ])("quotes text and keeps it from becoming a formula: %p", async (sub_id, expected) => {
    const program = await newProgram()
    const affiliate_url = `https://shop.example/?aff=${program.code}&sub=${encodeURIComponent(sub_id)}`
    await newClick(program, { affiliate_url, session_id: sub_id })
    const events = await request(program, `events/${program.program_id}`)
    expect(parse(events.body)).toMatchObject([{ session_id: expected }])
    const breakdown = await request(program, `breakdown/${program.program_id}?by=sub_id`)
    expect(parse(breakdown.body)).toMatchObject([{ value: expected, clicks: "1" }])
  })

  test("is cut off where it cannot continue, and never looks complete", async () => {
    const program = await newProgram()
    await sql`
      insert into reporting.events (
        program_id, timestamp, event_type, id, customer_id, partner_id, link_id, click_id, page_url,
        created_at
      )
      select
        ${program.program_id}, now() - n * interval '1 second', 'click', n, 1, 1, 1, 'clk',
        repeat('x', 2000), now()
      from generate_series(1, 20000) as n
    `
    const whole = await request(program, `events/${program.program_id}`)
    expect(whole.body.split("\r\n").length).toBe(20_002)

    const answer = await fetch(`${url}/api/tracking/events/${program.program_id}`, {
      headers: { authorization: `Bearer ${program.session}`, ...CSV },
    })
    expect(answer.status).toBe(200)
    let isEnded = false
    const clearing = (async () => {
      while (!isEnded) {
        await sql`update reporting.cursors set applied_until = null`
        await Bun.sleep(5)
      }
    })()
    const read = answer.text().finally(() => {
      isEnded = true
    })
    await expect(read).rejects.toThrow()
    await clearing
    await sql`delete from reporting.events where program_id = ${program.program_id}`
  }, 60_000)
})

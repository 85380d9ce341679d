import { describe, expect, test } from "bun:test"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import {
  newClick,
  newOwner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const list = (program: TestProgram, query = "") =>
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
    const { key } = await newKey(program)
    const { program_id } = program

    for (const [status, why, id, token, query] of [
      [403, "no session", program_id, undefined, ""],
      [403, "no session, no program", 999_999_999, undefined, "page=0"],
      [403, "junk", program_id, "junk", ""],
      [403, "a tracking token", program_id, program.api_token, ""],
      [403, "a Management key", program_id, key, ""],
      [403, "an unknown session", program_id, `affs_${"0".repeat(38)}`, ""],
      [404, "no program has this id", 999_999_999, program.session, "page=0"],
      [404, "an invalid id", "x", program.session, ""],
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
      [400, "not a date", program_id, program.session, "dateTo=yesterday"],
      [400, "a number", program_id, program.session, "dateFrom=1750000000"],
      [
        400,
        "the end is before the start",
        program_id,
        program.session,
        "dateFrom=2026-01-02&dateTo=2026-01-01",
      ],
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

  test("returns each kind of event with its fields, the newest first", async () => {
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

  test("marks events before the customer's first sale as converted", async () => {
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

  test("leaves out test events, other programs and refunds", async () => {
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

  test("shows every event confirmed before the request", async () => {
    const program = await newProgram()
    for (let clicks = 1; clicks <= 50; clicks++) {
      const click_id = await newClick(program)
      const { body } = await list(program, "pageSize=1")
      expect(body.data[0]).toMatchObject({ click_id })
      expect(body.meta.pagination.total).toBe(clicks)
      expect(body.meta).not.toHaveProperty("appliedUntil")
    }
  })

  test("shows each of many concurrent callers their own click", async () => {
    const program = await newProgram()
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const click_id = await newClick(program)
        const { body } = await list(program, "pageSize=100")
        expect(body.data).toContainEqual(expect.objectContaining({ click_id }))
      }),
    )
  })

  test("returns what it has while tracking is down, with appliedUntil", async () => {
    const program = await newProgram()
    await newClick(program)
    expect((await list(program)).body.meta).not.toHaveProperty("appliedUntil")
    const requestedAt = new Date().toISOString()

    await sql.begin(async sql => {
      await sql`lock table tracking.affiliate_click_events in access exclusive mode`
      const { status, body } = await list(program)
      expect(status).toBe(200)
      expect(body.meta.pagination.total).toBe(1)
      expect(body.meta.appliedUntil).toEqual(ISO)
      expect(
        body.meta.appliedUntil > new Date(Date.parse(requestedAt) - 60_000).toISOString(),
      ).toBe(true)
    })

    expect((await list(program)).body.meta).not.toHaveProperty("appliedUntil")
  })
})

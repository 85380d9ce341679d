import { describe, expect, test } from "bun:test"
import { runRebuildReports } from "../../support/commands"
import { newHistory } from "../../support/history"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { data_dir, send, serverEnvironment, sql } from "../../support/world"

const QUERIES = [
  "events/:id?pageSize=100",
  "events/:id?page=3&pageSize=20&dateTo=2026-01-20T12:00:00Z",
  "events/:id?eventType=conversion&pageSize=100",
  "performance/:id?dateFrom=2026-01-01&dateTo=2026-02-01",
  "performance/:id?dateFrom=2026-01-05T05:00:00Z&dateTo=2026-01-25T20:00:00Z",
  "breakdown/:id?by=country&dateFrom=2025-12-25&dateTo=2026-02-03",
  "breakdown/:id?by=link&dateFrom=2026-01-05T05:00:00Z&dateTo=2026-01-25T20:00:00Z",
  "breakdown/:id?by=sub_id&sort=commission&dateFrom=2026-01-01&dateTo=2026-02-01&pageSize=100",
]

describe("rebuild-reports", () => {
  test("rebuilds the same reports while clicks arrive", async () => {
    const program = await newProgram()
    await newHistory(program, { customers: 100, first: "2025-12-25", days: 40 })
    const expected = await reports(program)
    expect(expected[0].meta.pagination.total).toBeGreaterThan(100)
    await damage(program)
    expect(await reports(program)).not.toEqual(expected)

    const other = await newProgram()
    const rebuilt = runRebuildReports(data_dir, serverEnvironment)
    const clicks = []
    for (let click = 0; click < 100; click++) clicks.push(await newClick(other))

    expect(await rebuilt).toMatchObject({ code: 0, output: expect.stringContaining("rebuilt") })
    expect(await reports(program)).toEqual(expected)
    const { body } = await send("GET", `/api/tracking/events/${other.program_id}?pageSize=100`, {
      token: other.session,
    })
    expect(body.data.map(({ click_id }: { click_id: string }) => click_id)).toEqual(
      clicks.toReversed(),
    )
  }, 60_000)

  test("runs by itself where a feed comes from another server than before", async () => {
    const program = await newProgram()
    await newHistory(program, { customers: 50, first: "2025-12-25", days: 40 })
    const expected = await reports(program)

    await sql`
      update reporting.cursors
      set cursor = jsonb_set(cursor, '{origin}', '"1/1"')
    `
    for (let tries = 0; tries < 100; tries++) {
      const [{ foreign }] = await sql<[{ foreign: number }]>`
        select count(*) as foreign
        from reporting.cursors
        where cursor ->> 'origin' = '1/1'
      `
      if (foreign === 0) break
      await Bun.sleep(100)
    }
    expect(await reports(program)).toEqual(expected)
  }, 60_000)

  test("names DATABASE_URL where there is no database", async () => {
    const { code, output } = await runRebuildReports("/nonexistent")
    expect(code).toBe(1)
    expect(output).toContain("DATABASE_URL")
  })
})

/** Returns the replies to all queries once they are up to date. */
async function reports({ program_id, session }: TestProgram) {
  return Promise.all(
    QUERIES.map(async query => {
      for (;;) {
        const path = `/api/tracking/${query.replace(":id", String(program_id))}`
        const { status, body } = await send("GET", path, { token: session })
        expect(status).toBe(200)
        if (!body.meta.appliedUntil) return body
      }
    }),
  )
}

/** Damages the program's rows of the read model. */
async function damage({ program_id }: TestProgram) {
  await sql`
    delete from reporting.events
    where program_id = ${program_id} and event_type <> 'click'
  `
  await sql`
    update reporting.daily
    set partners = 7
    where program_id = ${program_id}
  `
  await sql`
    update reporting.daily_breakdown
    set clicks = clicks + 1
    where program_id = ${program_id}
  `
}

import { describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newMember } from "../../support/member"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const archive = (program: TestProgram, token = program.session, body?: unknown) =>
  send("DELETE", program.path, { token, body })
const show = (program: TestProgram) => send("GET", program.path, { token: program.session })

describe("DELETE /api/advertiser/affiliate-programs/:id", () => {
  test("archives the program, which can still be read", async () => {
    const program = await newProgram()
    const before = (await show(program)).body.data
    const { status, body } = await archive(program)
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { ...before, status: "archived", updated_at: expect.any(String) } },
    })
    expect((await show(program)).body).toEqual(body)
  })

  test("disables its token and its links immediately", async () => {
    const program = await newProgram()
    const click_id = await newClick(program)
    await archive(program)

    const body = { transaction_id: click_id, amount_cents: 100, click_id }
    const sale = await send("POST", "/api/v1/track/sale", { token: program.api_token, body })
    expect(sale.status).toBe(401)
    const click = await send("POST", "/api/v1/track/click", {
      body: { affiliate_url: `https://shop.example/?aff=${program.code}` },
    })
    expect(click).toMatchObject({ status: 200, body: { success: false } })
  })

  test("completes a sale that was stored before: it earns as if nothing had happened", async () => {
    const program = await newProgram()
    const click_id = await newClick(program)
    const body = { transaction_id: `archived ${click_id}`, amount_cents: 10_000, click_id }
    const sell = () => send("POST", "/api/v1/track/sale", { token: program.api_token, body })
    await sql`alter table commissions.commissions rename to away`
    try {
      expect((await sell()).status).toBe(500) // stored, but without a commission yet
      expect((await archive(program)).status).toBe(200)
    } finally {
      await sql`alter table commissions.away rename to commissions`
    }
    expect((await sell()).status).toBe(401) // the sweeper completes it, not the retry

    const commissions = async () =>
      (await send("GET", `${program.path}/commissions`, { token: program.session })).body.data
    while ((await commissions()).length === 0) await Bun.sleep(100)
    const [commission] = await commissions()
    expect(commission).toMatchObject({ amount_cents: 3_000, status: "pending" })
    const events = await send("GET", `/api/tracking/events/${program.program_id}`, {
      token: program.session,
    })
    expect(events.body.data.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      "conversion",
      "click",
    ])
    await sql`
      update commissions.commissions
      set hold_ends_at = now()
      where id = ${commission.id}
    `
    while ((await commissions())[0].status !== "approved") await Bun.sleep(100)
  })

  test("may be repeated, also concurrently", async () => {
    const program = await newProgram()
    const answers = await Promise.all(Array.from({ length: 4 }, () => archive(program)))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
    const { body } = await archive(program)
    expect(body).toEqual(answers[0]?.body)
  })

  test("leaves the program archived when an update runs at the same time", async () => {
    const program = await newProgram()
    const name = { token: program.session, body: { name: "Concurrent" } }
    const [archived, changed] = await Promise.all([
      archive(program),
      send("PUT", program.path, name),
    ])
    expect(archived.status).toBe(200)
    expect([200, 409]).toContain(changed.status)
    expect((await show(program)).body.data).toMatchObject({
      status: "archived",
      ...(changed.status === 200 ? { name: "Concurrent" } : {}),
    })
  })

  refusesBadCredentials("DELETE", ({ path }) => path)
  refusesUnknownPrograms("DELETE", id => `${PROGRAMS}/${id}`)

  test.each(["admin", "analyst", "billing"] as const)("403: the member is %s", async role => {
    const program = await newProgram()
    const session = await newMember(program, role)
    expect((await archive(program, session)).status).toBe(403)
    expect((await show(program)).body.data.status).toBe("active")
  })

  test("400: the body is not an object", async () => {
    const program = await newProgram()
    expect((await archive(program, program.session, [])).status).toBe(400)
    expect((await show(program)).body.data.status).toBe("active")
  })
})

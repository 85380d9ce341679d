import { beforeAll, describe, expect, test } from "bun:test"
import { click, countClicks } from "../../support/clicks"
import { newClick, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

describe("a click on a link that does not count", () => {
  const INACTIVE = {
    status: 200,
    body: { success: false, message: "Referral link is inactive" },
  }
  const put = (path: string, body: object) => send("PUT", path, { token: program.session, body })

  test.each<[string, (one: TestProgram) => Promise<{ status: number }>]>([
    [
      "the link is inactive",
      one => put(`${one.path}/referral-links/${one.link_id}`, { status: "inactive" }),
    ],
    ["the program is paused", one => put(one.path, { status: "paused" })],
    ["the program is archived", one => send("DELETE", one.path, { token: program.session })],
    [
      "the partner is suspended",
      one => put(`${one.path}/partners/${one.partner_id}`, { status: "suspended" }),
    ],
  ])("is reported as inactive at once when %s, and stores nothing", async (_why, end) => {
    const one = await newProgramOf(program)
    const click_id = await newClick(one)
    expect((await end(one)).status).toBe(200)
    expect(await click(one.code)).toMatchObject(INACTIVE)
    expect(await click(one.code, { existing_click_id: click_id })).toMatchObject(INACTIVE)
    expect(await countClicks(one.program_id)).toEqual({ events: 1, links: 1, partners: 1 })
  })

  test("counts again as soon as the link is active again", async () => {
    const one = await newProgramOf(program)
    const path = `${one.path}/referral-links/${one.link_id}`
    await put(path, { status: "inactive" })
    await put(path, { status: "active" })
    expect((await click(one.code)).body.success).toBe(true)
  })

  test("is refused when the partner is removed", async () => {
    const one = await newProgramOf(program)
    await put(`${one.path}/partners/${one.partner_id}`, { status: "removed" })
    const { status, body } = await click(one.code)
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringMatching("onfiguration") },
    })
  })

  test.each(["programs", "partner_programs"])(
    "is refused when its row in %s is missing",
    async table => {
      const one = await newProgramOf(program)
      await sql.begin(async sql => {
        await sql`set local session_replication_role = replica` // disables foreign keys
        await sql`delete from ${sql(`tracking.${table}`)} where program_id = ${one.program_id}`
      })
      const { status, body } = await click(one.code)
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: expect.stringMatching("onfiguration") },
      })
    },
  )
})

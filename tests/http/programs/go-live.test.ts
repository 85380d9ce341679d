import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newMember } from "../../support/member"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const goLive = (program: TestProgram, body?: unknown, token = program.session) =>
  send("POST", `${program.path}/go-live`, { token, body })
const show = async (program: TestProgram) =>
  (await send("GET", program.path, { token: program.session })).body.data

describe("POST /api/advertiser/affiliate-programs/:id/go-live", () => {
  test("publishes the program, and keeps the time of the first call", async () => {
    const program = await newProgram()
    const before = await show(program)
    const answers = await Promise.all([goLive(program), goLive(program, {}), goLive(program)])
    const published_at = answers[0]?.body.data.published_at
    expect(published_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const { status, body } of answers) {
      const data = { ...before, published_at, updated_at: expect.any(String) }
      expect({ status, body }).toEqual({ status: 200, body: { data } })
    }
    expect((await goLive(program, { published_at: "2020-01-01" })).body.data).toEqual(
      await show(program),
    )
    expect((await show(program)).published_at).toBe(published_at)
  })

  refusesBadCredentials("POST", ({ path }) => `${path}/go-live`)
  refusesUnknownPrograms("POST", id => `${PROGRAMS}/${id}/go-live`)

  describe("refusals:", () => {
    let program: TestProgram
    beforeAll(async () => {
      program = await newProgram({ website_url: null })
    })

    test.each(["analyst", "billing"] as const)("403: the member is %s", async role => {
      const session = await newMember(program, role)
      expect((await goLive(program, [], session)).status).toBe(403)
    })

    test("400: the body is a list", async () => {
      expect((await goLive(program, [])).status).toBe(400)
    })

    test("400: the website is missing, and the error says so", async () => {
      const answer = await goLive(program)
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("website_url") },
      })
      expect((await show(program)).published_at).toBeNull()
    })

    test("409: the program is archived", async () => {
      const archived = await newProgram()
      await send("DELETE", archived.path, { token: archived.session })
      expect(await goLive(archived)).toMatchObject({
        status: 409,
        body: { error: expect.any(String) },
      })
    })

    test("405: another method", async () => {
      const answer = await send("GET", `${program.path}/go-live`, { token: program.session })
      expect(answer.status).toBe(405)
      expect(answer.headers.get("allow")).toBe("POST")
    })
  })
})

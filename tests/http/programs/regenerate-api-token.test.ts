import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newMember } from "../../support/member"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const regenerate = (program: TestProgram, body?: unknown, token = program.session) =>
  send("POST", `${program.path}/regenerate-api-token`, { token, body })

/** The status of refunding an unknown sale: 401 if the token is refused, otherwise 404. */
const statusOf = async (token: string) => {
  const body = { transaction_id: "no such sale" }
  return (await send("POST", "/api/v1/track/refund", { token, body })).status
}

describe("POST /api/advertiser/affiliate-programs/:id/regenerate-api-token", () => {
  test("returns a new token, and refuses the old one from then on", async () => {
    const program = await newProgram()
    expect(await statusOf(program.api_token)).toBe(404)

    const { status, body } = await regenerate(program)
    const { api_token } = body.data
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          api_token: expect.stringMatching(/^aff_[0-9A-Za-z]{38}$/),
          api_token_masked: `${api_token.slice(0, 12)}****${api_token.slice(-4)}`,
        },
      },
    })
    expect(await statusOf(program.api_token)).toBe(401)
    expect(await statusOf(api_token)).toBe(404)

    const shown = await send("GET", program.path, { token: program.session })
    expect(shown.body.data.api_token_masked).toBe(body.data.api_token_masked)
    expect(JSON.stringify(shown.body)).not.toContain(api_token)
  })

  test("leaves one valid token after concurrent requests", async () => {
    const program = await newProgram()
    const answers = await Promise.all([1, 2, 3].map(() => regenerate(program, {})))
    const tokens = answers.map(answer => answer.body.data.api_token)
    expect((await Promise.all(tokens.map(statusOf))).sort()).toEqual([401, 401, 404])
  })

  refusesBadCredentials("POST", ({ path }) => `${path}/regenerate-api-token`)
  refusesUnknownPrograms("POST", id => `${PROGRAMS}/${id}/regenerate-api-token`)

  describe("refusals:", () => {
    let program: TestProgram
    beforeAll(async () => {
      program = await newProgram()
    })

    test.each(["analyst", "billing"] as const)("403: the member is %s", async role => {
      const session = await newMember(program, role)
      expect((await regenerate(program, [], session)).status).toBe(403)
    })

    test.each([[[]], [null], [7]])("400: the body is %j", async body => {
      const answer = await regenerate(program, JSON.stringify(body))
      expect(answer.status).toBe(415) // no content type
      const headers = { "content-type": "application/json" }
      const path = `${program.path}/regenerate-api-token`
      const typed = { token: program.session, headers, body: JSON.stringify(body) }
      expect((await send("POST", path, typed)).status).toBe(400)
    })

    test("its token still works after these refusals", async () => {
      expect(await statusOf(program.api_token)).toBe(404)
    })

    test("409: the program is archived", async () => {
      const archived = await newProgram()
      await send("DELETE", archived.path, { token: archived.session })
      expect(await regenerate(archived)).toMatchObject({
        status: 409,
        body: { error: expect.any(String) },
      })
    })
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { countClicks } from "../../support/clicks"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

/** Reads: one that uses its query, some that do not, and a public one. */
const READS: [string, () => string][] = [
  ["a list", () => `${program.path}/partners`],
  ["a program", () => program.path],
  ["a status", () => `/api/tracking/status/${program.program_id}`],
  ["a session", () => "/api/auth/session"],
  ["the script", () => "/service-tracker.js"],
]
const UNSTORABLE = ["x=%00", "%00=x", "x=a%00b", "x=%ED%A0%80", "x=%ed%b0%80&y=1", "x=%ff"]
const STORABLE = ["x=%25", "x=%", "x=%zz", "x=%F0%9F%A6%80", "x=100%&y", "x=%2500"]

describe.each(READS)("the query of %s", (_what, path) => {
  const read = (query: string) => send("GET", `${path()}?${query}`, { token: program.session })

  test.each(UNSTORABLE)("400: %s", async query => {
    const { status, body } = await read(query)
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
  })

  test.each(STORABLE)("accepted: %s", async query => {
    expect((await read(query)).status).toBe(200)
  })
})

describe("the query of a write", () => {
  test.each(UNSTORABLE)("400, and nothing is written: %s", async query => {
    const before = await countClicks(program.program_id)
    const body = { affiliate_url: `https://shop.example/?aff=${program.code}` }
    expect((await send("POST", `/api/v1/track/click?${query}`, { body })).status).toBe(400)
    expect(await countClicks(program.program_id)).toEqual(before)
  })

  test.each(["go-live", "regenerate-api-token"])("400: of %s without a body", async step => {
    const answer = await send("POST", `${program.path}/${step}?x=%00`, { token: program.session })
    expect(answer.status).toBe(400)
  })
})

describe("refusals that come before the query", () => {
  const BAD = "x=%00"

  test("404: an unknown path, 405: another method, 401: no credential", async () => {
    expect((await send("GET", `/nowhere?${BAD}`)).status).toBe(404)
    expect((await send("PATCH", `${program.path}?${BAD}`)).status).toBe(405)
    expect((await send("GET", `${program.path}?${BAD}`)).status).toBe(401)
    expect((await send("POST", `${program.path}/partners?${BAD}`, { body: {} })).status).toBe(401)
  })

  test("404: another workspace's program", async () => {
    const other = await newProgram()
    const answer = await send("GET", `${other.path}?${BAD}`, { token: program.session })
    expect(answer.status).toBe(404)
  })
})

describe("an encoding", () => {
  const headers = { "content-encoding": "gzip" }

  test.each(READS)("415: of a request for %s", async (_what, path) => {
    expect((await send("GET", path(), { token: program.session, headers })).status).toBe(415)
  })

  test("415 comes before 401", async () => {
    expect((await send("GET", program.path, { headers })).status).toBe(415)
    expect((await send("DELETE", program.path, { headers })).status).toBe(415)
  })
})

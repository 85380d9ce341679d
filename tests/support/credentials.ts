import { beforeAll, describe, expect, test } from "bun:test"
import { hashOf, mintToken } from "../../lib/token"
import { newOwner, newProgram, type TestProgram } from "./program"
import { send, sql } from "./world"

const COOKIE = "session"
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

type Call = { headers?: Record<string, string>; body?: NonNullable<RequestInit["body"]> }
type Case = [status: number, why: string, call: () => Call | Promise<Call>]

/**
 * Tests what an endpoint refuses before it parses the body, in order of precedence (behaviour 1.2):
 * the format of the body, then the credential, then a cookie from another site's page.
 */
export function refusesBadCredentials(method: string, pathOf: (program: TestProgram) => string) {
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram()
  })
  const writes = method !== "GET"
  const json = { "content-type": "application/json" }

  const forms: Case[] = [
    [413, "the body is too large", () => ({ headers: json, body: " ".repeat(256 * 1024 + 1) })],
    [415, "the body is encoded", () => ({ headers: { ...json, "content-encoding": "gzip" } })],
    [
      415,
      "the body is not JSON",
      () => ({ headers: { "content-type": "text/plain" }, body: "{}" }),
    ],
    [415, "the body has no type", () => ({ headers: {}, body: Buffer.from("{}") })],
  ]
  const credentials: Case[] = [
    [401, "there is no credential", () => ({})],
    [
      401,
      "it is not a Bearer token",
      () => ({ headers: { authorization: `Basic ${program.session}` } }),
    ],
    [401, "it is empty", () => ({ headers: { authorization: "Bearer" } })],
    [401, "it is junk", () => ({ headers: bearer("junk") })],
    [401, "its checksum is wrong", () => ({ headers: bearer(mistyped(program.session)) })],
    [401, "it is an unknown session", () => ({ headers: bearer(mintToken("affs_")) })],
    [401, "it is an unknown key", () => ({ headers: bearer(mintToken("affk_")) })],
    [401, "it is a tracking token", () => ({ headers: bearer(program.api_token) })],
    [401, "the cookie is junk", () => ({ headers: { cookie: `${COOKIE}=junk` } })],
    [401, "the session was idle for 14 days", async () => ({ headers: bearer(await idle()) })],
    [401, "the session is 90 days old", async () => ({ headers: bearer(await old()) })],
  ]
  const cookie = () => `${COOKIE}=${program.session}`
  const sites: Case[] = [
    [403, "the cookie comes without an origin", () => ({ headers: { cookie: cookie() } })],
    [
      403,
      "the cookie comes from another origin",
      () => ({ headers: { cookie: cookie(), origin: "https://evil.example" } }),
    ],
    [
      403,
      "the cookie comes from another site's page",
      () => ({ headers: { cookie: cookie(), "sec-fetch-site": "cross-site" } }),
    ],
    [
      403,
      "the cookie comes from a sibling domain's page",
      () => ({ headers: { cookie: cookie(), "sec-fetch-site": "same-site" } }),
    ],
  ]

  describe("refuses bad credentials:", () => {
    test.each([...(writes ? forms : []), ...credentials, ...(writes ? sites : [])])(
      "%i: %s",
      async (status, _why, call) => {
        const answer = await send(method, pathOf(program), await call())
        expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
        expect(Object.keys(answer.body)).toEqual(["error"])
      },
    )
  })
}

/** Tests that a program id that is not the caller's is 404, whatever the body says. */
export function refusesUnknownPrograms(method: string, pathOf: (id: string) => string) {
  let program: TestProgram
  let foreign: TestProgram
  beforeAll(async () => {
    program = await newProgram()
    foreign = await newProgram()
  })
  const body = method === "GET" ? undefined : '{"name": 7'

  describe("finds only the caller's own programs:", () => {
    test.each(["abc", "0", "-1", "1.5", "1e3", "%20", "99999999999999999999", "9007199254740991"])(
      "404: the id is %s",
      async id => {
        const answer = await send(method, pathOf(id), { token: program.session, body, ...typed })
        expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
      },
    )

    test("404: the program is another workspace's", async () => {
      const path = pathOf(String(foreign.program_id))
      const answer = await send(method, path, { token: program.session, body, ...typed })
      expect(answer.status).toBe(404)
      const unknown = await send(method, pathOf("9007199254740991"), {
        token: program.session,
        body,
        ...typed,
      })
      expect(answer.body).toEqual(unknown.body) // the answer does not reveal that it exists
    })
  })
}

const typed = { headers: { "content-type": "application/json" } }

function mistyped(token: string): string {
  return token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")
}

const idle = () => sessionSince("last_used_at", "14 days 1 second")
const old = () => sessionSince("created_at", "90 days 1 second")

async function sessionSince(column: string, age: string): Promise<string> {
  const { session } = await newOwner()
  await sql`
    update identity.sessions
    set ${sql(column)} = now() - ${age}::interval
    where token_hash = ${hashOf(session)}
  `
  return session
}

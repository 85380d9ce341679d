import { describe, expect, test } from "bun:test"
import { hashOf } from "../../../lib/token"
import { refusesBadCredentials } from "../../support/credentials"
import { newOwner } from "../../support/program"
import { send, sql } from "../../support/world"

const SESSION = "/api/auth/session"
const secondsUnused = async (token: string): Promise<number> => {
  const [session] = await sql`
    select extract(epoch from now() - last_used_at)::int as seconds
    from identity.sessions
    where token_hash = ${hashOf(token)}
  `
  return session?.seconds
}
const age = (token: string, unused: string, sinceSignIn: string) => sql`
  update identity.sessions
  set
    last_used_at = now() - ${unused}::interval,
    created_at = now() - ${sinceSignIn}::interval
  where token_hash = ${hashOf(token)}
`

describe("GET /api/auth/session", () => {
  test("shows the user and their memberships, oldest first", async () => {
    const owner = await newOwner()
    const other = await newOwner()
    await sql`
      insert into identity.memberships (workspace_id, user_id, role, status)
      values (${other.workspace_id}, ${owner.user_id}, 'analyst', 'suspended')
    `
    const { status, body } = await send("GET", SESSION, { token: owner.session })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          user: { id: owner.user_id, email: owner.email, name: "Owner" },
          memberships: [
            {
              workspace: { id: owner.workspace_id, name: "Owner's workspace" },
              role: "owner",
              status: "active",
            },
            {
              workspace: { id: other.workspace_id, name: "Owner's workspace" },
              role: "analyst",
              status: "suspended",
            },
          ],
          partner: null,
        },
      },
    })
  })

  test.each(["Bearer", "bearer", "BEARER"])("accepts the scheme %s", async scheme => {
    const { session } = await newOwner()
    const headers = { authorization: `${scheme} ${session}` }
    expect((await send("GET", SESSION, { headers })).status).toBe(200)
  })

  test("accepts the cookie for reads from any site", async () => {
    const { session } = await newOwner()
    const headers = { cookie: `session=${session}; theme=dark`, "sec-fetch-site": "cross-site" }
    const reply = await send("GET", SESSION, { headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.has("access-control-allow-origin")).toBe(false)
  })

  test("401: the cookie is valid, but Authorization is not", async () => {
    const { session } = await newOwner()
    const headers = { cookie: `session=${session}`, authorization: "Bearer junk" }
    expect((await send("GET", SESSION, { headers })).status).toBe(401)
  })

  test("stays valid while it is used", async () => {
    const { session: token } = await newOwner()
    await age(token, "13 days 23 hours", "89 days 23 hours")
    expect((await send("GET", SESSION, { token })).status).toBe(200)
    expect(await secondsUnused(token)).toBeLessThan(3_600)
  })

  test("records its use at most once a minute", async () => {
    const { session: token } = await newOwner()
    await age(token, "50 seconds", "1 day")
    await send("GET", SESSION, { token })
    expect(await secondsUnused(token)).toBeGreaterThanOrEqual(50)
  })

  refusesBadCredentials("GET", () => SESSION)

  test("405: another method", async () => {
    const reply = await send("POST", SESSION)
    expect(reply.status).toBe(405)
    expect(reply.headers.get("allow")).toContain("GET")
  })
})

import { describe, expect, test } from "bun:test"
import { refusesBadCredentials } from "../../support/credentials"
import { newOwner } from "../../support/program"
import { send, sql, url } from "../../support/world"

const SIGN_OUT = "/api/auth/sign-out"
const sessionOf = (token: string) => send("GET", "/api/auth/session", { token })

describe("POST /api/auth/sign-out", () => {
  test("ends only this session and clears the cookie", async () => {
    const { email, password, session: token } = await newOwner()
    const other = await send("POST", "/api/auth/sign-in", { body: { email, password } })

    const { status, body, headers } = await send("POST", SIGN_OUT, { token })
    expect({ status, body }).toEqual({ status: 200, body: { data: {} } })
    expect(headers.get("set-cookie")).toBe("session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
    expect((await sessionOf(token)).status).toBe(401)
    expect((await sessionOf(other.body.data.token)).status).toBe(200)
  })

  test("deletes the stored session", async () => {
    const { session: token, user_id } = await newOwner()
    await send("POST", SIGN_OUT, { token })
    const left = await sql`
      select id
      from identity.sessions
      where user_id = ${user_id}
    `
    expect(left).toHaveLength(0)
  })

  test.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["an object with unknown fields", { why: "bored" }],
  ])("accepts %s", async (_what, body) => {
    const { session: token } = await newOwner()
    expect((await send("POST", SIGN_OUT, { token, body })).status).toBe(200)
  })

  test("accepts the cookie from a page of this origin", async () => {
    const { session } = await newOwner()
    const headers = { cookie: `theme=dark; session=${session}`, origin: url }
    expect((await send("POST", SIGN_OUT, { headers })).status).toBe(200)
    expect((await sessionOf(session)).status).toBe(401)
  })

  test("401: a second time", async () => {
    const { session: token } = await newOwner()
    await send("POST", SIGN_OUT, { token })
    expect((await send("POST", SIGN_OUT, { token })).status).toBe(401)
  })

  test.each(["[]", "null", "7", "{"])("400: the body is %s", async body => {
    const { session: token } = await newOwner()
    const headers = { "content-type": "application/json" }
    const reply = await send("POST", SIGN_OUT, { token, body, headers })
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect((await sessionOf(token)).status).toBe(200)
  })

  refusesBadCredentials("POST", () => SIGN_OUT)
})

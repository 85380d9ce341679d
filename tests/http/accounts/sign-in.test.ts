import { beforeAll, describe, expect, test } from "bun:test"
import { newMemberOnly } from "../../support/member"
import { newOwner, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

let owner: Owner
beforeAll(async () => {
  owner = await newOwner()
})

const SIGN_IN = "/api/auth/sign-in"
const signIn = (fields: object = {}) =>
  send("POST", SIGN_IN, { body: { email: owner.email, password: owner.password, ...fields } })

describe("POST /api/auth/sign-in", () => {
  test("starts another session for the same user", async () => {
    const { status, body, headers } = await signIn()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          user: { id: owner.user_id, email: owner.email, name: "Owner" },
          workspace: { id: owner.workspace_id, name: "Owner's workspace" },
          token: expect.stringMatching(/^affs_[0-9A-Za-z]{38}$/),
          expires_at: expect.stringMatching(/Z$/),
        },
      },
    })
    expect(headers.get("set-cookie")).toStartWith(`session=${body.data.token}; Path=/; Max-Age=`)
    for (const token of [owner.session, body.data.token]) {
      expect((await send("GET", "/api/auth/session", { token })).status).toBe(200)
    }
  })

  test("ignores the case of the address", async () => {
    expect((await signIn({ email: owner.email.toUpperCase() })).status).toBe(200)
  })

  test("respects the case of the password", async () => {
    expect((await signIn({ password: owner.password.toUpperCase() })).status).toBe(401)
  })

  test("replies the same to a wrong password and to an unknown address", async () => {
    const wrong = await signIn({ password: "incorrect horse" })
    const unknown = await signIn({ email: `unknown.${owner.email}` })
    expect(wrong.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.headers.has("set-cookie")).toBe(false)
  })

  test("shows no workspace to a user without an active membership", async () => {
    const other = await newOwner()
    await sql`
      update identity.memberships
      set status = 'suspended'
      where user_id = ${other.user_id}
    `
    const { status, body } = await signIn({ email: other.email })
    expect(status).toBe(200)
    expect(body.data.workspace).toBeNull()
  })

  test("shows the workspace of the oldest active membership", async () => {
    const session = await newMemberOnly(owner, "analyst")
    const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
    const later = await newOwner()
    await sql`
      insert into identity.memberships (workspace_id, user_id, role)
      values (${later.workspace_id}, ${user.id}, 'admin')
    `
    const workspaceId = async () => (await signIn({ email: user.email })).body.data.workspace.id
    expect(await workspaceId()).toBe(owner.workspace_id)
    await sql`
      update identity.memberships
      set status = 'suspended'
      where (workspace_id, user_id) = (${owner.workspace_id}, ${user.id})
    `
    expect(await workspaceId()).toBe(later.workspace_id)
  })

  test.each([
    [400, "there is no address", { email: undefined }],
    [400, "the address is a number", { email: 7 }],
    [400, "there is no password", { password: undefined }],
    [400, "the password is null", { password: null }],
    [400, "the password contains a NUL", { password: "correct\0horse" }],
    [400, "the password is too long", { password: "p".repeat(257) }],
    [401, "the password is empty", { password: "" }],
    [401, "the address is empty", { email: "" }],
    [401, "the address is a pattern", { email: "%" }],
  ])("%i: %s", async (status, _why, fields) => {
    expect(await signIn(fields)).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each([
    [413, "the body is too large", " ".repeat(256 * 1024 + 1), {}],
    [415, "the body is encoded", "{}", { "content-encoding": "gzip" }],
    [415, "the body is not JSON", "{}", { "content-type": "text/plain" }],
    [400, "the body is empty", "", {}],
    [400, "the body is null", "null", {}],
  ])("%i: %s", async (status, _why, body, headers) => {
    const reply = await send("POST", SIGN_IN, {
      body,
      headers: { "content-type": "application/json", ...headers },
    })
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("405: another method", async () => {
    const reply = await send("DELETE", SIGN_IN)
    expect(reply.status).toBe(405)
    expect(reply.headers.get("allow")).toBe("POST")
  })
})

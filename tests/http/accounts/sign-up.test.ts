import { describe, expect, test } from "bun:test"
import { hashOf } from "../../../lib/token"
import { send, sql } from "../../support/world"

const SIGN_UP = "/api/auth/sign-up"
let count = 0
const newEmail = () => `Ada.${process.pid}.${Date.now()}.${++count}@Example.com`
const signUp = (fields: object) =>
  send("POST", SIGN_UP, {
    body: { email: newEmail(), password: "correct horse", name: "Ada", ...fields },
  })

describe("POST /api/auth/sign-up", () => {
  test("creates a user, a workspace and a session", async () => {
    const email = newEmail()
    const reply = await signUp({ email, workspace_name: "Analytical Engines", role: "root" })

    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      data: {
        user: { id: expect.any(Number), email, name: "Ada" },
        workspace: { id: expect.any(Number), name: "Analytical Engines" },
        token: expect.stringMatching(/^affs_[0-9A-Za-z]{38}$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
    const { user, workspace, token } = reply.body.data
    expect((await send("GET", "/api/auth/session", { token })).body.data).toEqual({
      user,
      memberships: [{ workspace, role: "owner", status: "active" }],
      partner: null,
    })
  })

  test("names the workspace after its owner when no name is given", async () => {
    const { body } = await signUp({ name: "Grace" })
    expect(body.data.workspace.name).toBe("Grace's workspace")
  })

  test("sets the session cookie with HttpOnly and SameSite", async () => {
    const { headers, body } = await signUp({})
    expect(headers.getSetCookie()[0]).toBe(
      `session=${body.data.token}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax`,
    )
  })

  test("stores neither the password nor the token", async () => {
    const { body } = await signUp({ password: "a secret passphrase" })
    const { user, token } = body.data
    const [stored] = await sql`
      select users.password_hash, sessions.token_hash, users::text || sessions::text as everything
      from identity.users
      join identity.sessions on sessions.user_id = users.id
      where users.id = ${user.id}
    `
    expect(stored?.password_hash).toStartWith("$argon2id$")
    expect(stored?.token_hash).toBe(hashOf(token))
    expect(stored?.everything).not.toContain("a secret passphrase")
    expect(stored?.everything).not.toContain(token)
  })

  test("registers an address once when calls race, in any case", async () => {
    const email = newEmail()
    const spellings = [email, email.toLowerCase(), email.toUpperCase(), email]
    const replies = await Promise.all(spellings.map(email => signUp({ email })))
    expect(replies.map(reply => reply.status).sort()).toEqual([201, 409, 409, 409])

    const [{ workspaces }] = await sql<[{ workspaces: number }]>`
      select count(*) as workspaces
      from identity.memberships
      join identity.users on users.id = user_id
      where email_folded = ${email.toLowerCase()}
    `
    expect(workspaces).toBe(1)
  })

  test.each([10, 256])("accepts a password of %i characters", async length => {
    const password = "kd82nf83mx".repeat(26).slice(0, length)
    expect((await signUp({ password })).status).toBe(201)
  })

  test.each([
    [413, "the body is too large", " ".repeat(256 * 1024 + 1), {}],
    [415, "the body is encoded", "{}", { "content-encoding": "gzip" }],
    [415, "the body is not JSON", "{}", { "content-type": "text/plain" }],
    [400, "the body is empty", "", {}],
    [400, "the body is truncated", '{"email"', {}],
    [400, "the body is a list", "[]", {}],
    [400, "the body is not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), {}],
  ])("%i: %s", async (status, _why, body, headers) => {
    const reply = await send("POST", SIGN_UP, {
      body,
      headers: { "content-type": "application/json", ...headers },
    })
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(reply.headers.has("set-cookie")).toBe(false)
  })

  test.each([
    [400, "there is no address", { email: undefined }],
    [400, "the address is null", { email: null }],
    [400, "the address has no @", { email: "ada" }],
    [400, "the address has a space", { email: "ada @example.com" }],
    [400, "the address is too long", { email: `${"a".repeat(320)}@example.com` }],
    [400, "the address contains a NUL", { email: "ada\0@example.com" }],
    [400, "the address has a control character", { email: "ada\x7f@example.com" }],
    [400, "the address turns the text's direction", { email: "ada@\u202emoc.elpmaxe" }],
    [400, "the address has an isolate", { email: "\u2066ada@example.com" }],
    [400, "the address has an invisible character", { email: "a\u200bda@example.com" }],
    [400, "there is no password", { password: undefined }],
    [400, "the password is a number", { password: 1_234_567_890 }],
    [400, "the password has 9 characters", { password: "p".repeat(9) }],
    [400, "the password has 257 characters", { password: "p".repeat(257) }],
    [400, "the password is one of the commonest", { password: "1234567890" }],
    [400, "the password is one of the commonest, in capitals", { password: "QwertyUiop" }],
    [400, "the password is a common one, with symbols for letters", { password: "P@ssw0rd123" }],
    [400, "the password repeats one character", { password: "aaaaaaaaaaaa" }],
    [400, "the password is a row of keys", { password: "asdfghjkl;" }],
    [400, "the password is the address", { email: "ada@x.example", password: "ada@x.example" }],
    [400, "there is no name", { name: undefined }],
    [400, "the name is empty", { name: "" }],
    [400, "the name is blank", { name: "  " }],
    [400, "the name is half a surrogate pair", { name: "\ud800" }],
    [400, "the name has 256 characters", { name: "n".repeat(256) }],
    [400, "the workspace's name is empty", { workspace_name: "" }],
    [400, "the workspace's name is an object", { workspace_name: {} }],
  ])("%i: %s", async (status, _why, fields) => {
    expect(await signUp(fields)).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("405: another method", async () => {
    const reply = await send("GET", SIGN_UP)
    expect(reply).toMatchObject({ status: 405, body: { error: expect.any(String) } })
    expect(reply.headers.get("allow")).toBe("POST")
  })

  test("400: the password has five characters of two UTF-16 units each", async () => {
    expect((await signUp({ password: "😀😁😂🤣😃" })).status).toBe(400)
    const password = "😀".repeat(256)
    const signedUp = await signUp({ password, name: "😀".repeat(200) })
    expect(signedUp.status).toBe(201)
    const { email } = signedUp.body.data.user
    const signedIn = await send("POST", "/api/auth/sign-in", { body: { email, password } })
    expect(signedIn.status).toBe(200)
  })

  test("403: sign-up is closed, whatever the body says", async () => {
    const gateway = Bun.spawn(
      [process.execPath, `${import.meta.dir}/../../support/closed-gateway.ts`],
      {
        env: { ...process.env, SIGN_UP: "closed", PORT: "0", NATS_URL: "", LOG_LEVEL: "silent" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    const { value } = await gateway.stdout.getReader().read()
    const reply = await fetch(`${new TextDecoder().decode(value).trim()}${SIGN_UP}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    })
    gateway.kill()
    expect(reply.status).toBe(403)
    expect(await reply.json()).toEqual({ error: expect.any(String) })
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { hashOf, mintToken } from "../../../lib/token"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newOwner, newProgram, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

const ACCEPT = "/api/auth/accept-invitation"
let count = 0
const newEmail = () => `Guest.${process.pid}.${Date.now()}.${++count}@Example.com`

let owner: Owner
let foreign: Owner
beforeAll(async () => {
  owner = await newOwner()
  foreign = await newOwner()
})

const pathOf = ({ workspace_id }: Pick<Owner, "workspace_id">) =>
  `/api/workspaces/${workspace_id}/invitations`
const invite = (fields: object = {}, token = owner.session) =>
  send("POST", pathOf(owner), { token, body: { email: newEmail(), role: "analyst", ...fields } })
const accept = (fields: object) =>
  send("POST", ACCEPT, { body: { password: "correct horse battery", ...fields } })
const newInvitation = async (fields: object = {}) => (await invite(fields)).body.data
const membershipsOf = async (token: string) =>
  (await send("GET", "/api/auth/session", { token })).body.data.memberships

describe("POST /api/workspaces/:id/invitations", () => {
  test("creates a token that is shown once and expires after 30 days", async () => {
    const email = newEmail()
    const { status, body } = await invite({ email, role: "billing", status: "active", id: 1 })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          email,
          role: "billing",
          token: expect.stringMatching(/^affi_[0-9A-Za-z]{38}$/),
          expires_at: expect.any(String),
        },
      },
    })
    const { id, token, expires_at } = body.data
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 2)
    const [stored] = await sql`
      select token_hash, invitations::text as everything
      from identity.invitations
      where id = ${id}
    `
    expect(stored?.token_hash).toBe(hashOf(token))
    expect(stored?.everything).not.toContain(token)
  })

  test("replaces the pending invitation to the same address in any case", async () => {
    const email = newEmail()
    const first = await newInvitation({ email })
    const second = await newInvitation({ email: email.toUpperCase(), role: "admin" })
    expect((await accept({ token: first.token })).status).toBe(400)
    const { body } = await accept({ token: second.token })
    expect(await membershipsOf(body.data.token)).toMatchObject([{ role: "admin" }])
  })

  refusesBadCredentials("POST", ({ workspace_id }) => pathOf({ workspace_id }))

  test.each<[number, string, () => Promise<{ token: string; of?: Owner; body?: unknown }>]>([
    [401, "a key of every scope", async () => ({ token: (await newKey(owner)).key, body: "{" })],
    [404, "a stranger", async () => ({ token: foreign.session, body: "{" })],
    [
      404,
      "a suspended owner",
      async () => ({ token: await newMember(owner, "owner", "suspended"), body: "{" }),
    ],
    [403, "an analyst", async () => ({ token: await newMember(owner, "analyst"), body: "{" })],
    [
      403,
      "a billing member",
      async () => ({ token: await newMember(owner, "billing"), body: "{" }),
    ],
    [
      403,
      "an admin who invites an owner",
      async () => ({
        token: await newMember(owner, "admin"),
        body: { email: newEmail(), role: "owner" },
      }),
    ],
    [400, "invalid JSON", async () => ({ token: owner.session, body: "{" })],
    [400, "no address", async () => ({ token: owner.session, body: { role: "admin" } })],
    [
      400,
      "an address without @",
      async () => ({ token: owner.session, body: { email: "x", role: "admin" } }),
    ],
    [400, "no role", async () => ({ token: owner.session, body: { email: newEmail() } })],
    [
      400,
      "an unknown role",
      async () => ({ token: owner.session, body: { email: newEmail(), role: "root" } }),
    ],
    [
      409,
      "the address of a member",
      async () => ({
        token: owner.session,
        body: { email: owner.email.toUpperCase(), role: "admin" },
      }),
    ],
  ])("%i: %s", async (status, _why, of) => {
    const { token, body } = await of()
    const headers = { "content-type": "application/json" }
    const reply = await send("POST", pathOf(owner), { token, body, headers })
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each(["abc", "0", "9007199254740991"])("404: the workspace is %s", async id => {
    const path = `/api/workspaces/${id}/invitations`
    expect((await send("POST", path, { token: owner.session, body: {} })).status).toBe(404)
  })
})

describe("POST /api/auth/accept-invitation", () => {
  test("creates an account for a new address, makes it a member and signs it in", async () => {
    const { email, token } = await newInvitation({ role: "admin" })
    const { status, body, headers } = await accept({ token, name: "Grace", role: "owner" })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          user: { id: expect.any(Number), email, name: "Grace" },
          workspace: { id: owner.workspace_id, name: "Owner's workspace" },
          token: expect.stringMatching(/^affs_[0-9A-Za-z]{38}$/),
          expires_at: expect.any(String),
        },
      },
    })
    expect(headers.get("set-cookie")).toStartWith(`session=${body.data.token}; `)
    expect(await membershipsOf(body.data.token)).toEqual([
      { workspace: body.data.workspace, role: "admin", status: "active" },
    ])
    const signIn = { email, password: "correct horse battery" }
    expect((await send("POST", "/api/auth/sign-in", { body: signIn })).status).toBe(200)
  })

  test("names an account after its address when no name is given", async () => {
    const { email, token } = await newInvitation()
    expect((await accept({ token })).body.data.user.name).toBe(email.split("@")[0])
  })

  test("requires the password of an existing account; a wrong one keeps the token", async () => {
    const guest = await newOwner()
    const { token } = await newInvitation({ email: guest.email.toUpperCase() })
    const wrong = await accept({ token, password: "a wrong password" })
    expect(wrong).toMatchObject({ status: 401, body: { error: expect.any(String) } })
    expect((await accept({ token, password: "short" })).status).toBe(401)

    const { status, body } = await accept({ token, password: guest.password, name: "Mallory" })
    expect(status).toBe(200)
    expect(body.data.user).toEqual({ id: guest.user_id, email: guest.email, name: "Owner" })
    expect(body.data.workspace.id).toBe(owner.workspace_id)
    expect(await membershipsOf(guest.session)).toHaveLength(2)
  })

  test("uses the invited address and ignores one in the body", async () => {
    const { token, email } = await newInvitation()
    const { body } = await accept({ token, email: "mallory@example.com" })
    expect(body.data.user.email).toBe(email)
  })

  test("succeeds once when calls race", async () => {
    const { token } = await newInvitation()
    const replies = await Promise.all(Array.from({ length: 5 }, () => accept({ token })))
    const statuses = replies.map(reply => reply.status).sort()
    expect(statuses[0]).toBe(200)
    expect(statuses.slice(1).every(status => [400, 401, 409].includes(status))).toBe(true)
    expect((await accept({ token })).status).toBe(400)
  })

  test("leaves a suspended member suspended", async () => {
    const guest = await newOwner()
    const { token } = await newInvitation({ email: guest.email })
    await sql`
      insert into identity.memberships (workspace_id, user_id, role, status)
      values (${owner.workspace_id}, ${guest.user_id}, 'billing', 'suspended')
    `
    expect((await accept({ token, password: guest.password })).status).toBe(409)
    expect(await membershipsOf(guest.session)).toMatchObject([
      { status: "active" },
      { role: "billing", status: "suspended" },
    ])
  })

  test("works when sign-up is closed", async () => {
    const gateway = Bun.spawn(
      [process.execPath, `${import.meta.dir}/../../support/closed-gateway.ts`],
      {
        env: { ...process.env, SIGN_UP: "closed", PORT: "0", NATS_URL: "", LOG_LEVEL: "silent" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    const { value } = await gateway.stdout.getReader().read()
    const reply = await fetch(`${new TextDecoder().decode(value).trim()}${ACCEPT}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: mintToken("affi_"), password: "correct horse battery" }),
    })
    gateway.kill()
    expect(reply.status).toBe(503) // not refused: identity is called, but not running
  })

  test.each<[string, () => object | Promise<object>]>([
    ["no token", () => ({})],
    ["a token that is a number", () => ({ token: 7 })],
    ["junk", () => ({ token: "junk" })],
    ["an unknown token", () => ({ token: mintToken("affi_") })],
    ["a session token", () => ({ token: owner.session })],
    ["no password", async () => ({ token: (await newInvitation()).token, password: undefined })],
    [
      "a password of 9 characters",
      async () => ({ ...(await newInvitation()), password: "9".repeat(9) }),
    ],
    [
      "a password that is easy to guess",
      async () => ({ ...(await newInvitation()), password: "1q2w3e4r5t6y" }),
    ],
    [
      "a password of 257 characters",
      async () => ({ ...(await newInvitation()), password: "p".repeat(257) }),
    ],
    ["an empty name", async () => ({ ...(await newInvitation()), name: "" })],
    ["an expired token", expired],
    ["a token whose sender was suspended since", () => senderIs("suspended", "admin")],
    ["a token whose sender is an analyst now", () => senderIs("active", "analyst")],
  ])("400: %s", async (_why, fields) => {
    const users = () => sql`select count(*) as count from identity.users`
    const input = await fields()
    const before = await users()
    expect(await accept(input)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect(await users()).toEqual(before)
  })

  async function expired() {
    const { id, token } = await newInvitation()
    await sql`update identity.invitations set expires_at = now() where id = ${id}`
    return { token }
  }

  async function senderIs(status: string, role: string) {
    const session = await newMember(owner, "admin")
    const { token, id } = (await invite({ role: "analyst" }, session)).body.data
    await sql`
      update identity.memberships
      set status = ${status}, role = ${role}
      from identity.invitations
      where memberships.workspace_id = invitations.workspace_id
        and user_id = invited_by
        and invitations.id = ${id}
    `
    return { token }
  }

  test("415, 413: the content type is wrong, the body is too large", async () => {
    const headers = { "content-type": "text/plain" }
    expect((await send("POST", ACCEPT, { body: "{}", headers })).status).toBe(415)
    const large = {
      body: " ".repeat(256 * 1024 + 1),
      headers: { "content-type": "application/json" },
    }
    expect((await send("POST", ACCEPT, large)).status).toBe(413)
  })
})

describe("POST …/:id/partners/:partnerId/invite", () => {
  const inviteOf = (program: { path: string; partner_id: number; session: string }) =>
    send("POST", `${program.path}/partners/${program.partner_id}/invite`, {
      token: program.session,
    })
  const partnerOf = async (token: string) =>
    (await send("GET", "/api/auth/session", { token })).body.data.partner
  const accountOf = async (partner_id: number) => {
    const [partner] =
      await sql`select account_id from commissions.partners where id = ${partner_id}`
    return partner?.account_id
  }

  test("gives a person one account for all the programs they join", async () => {
    const [one, two] = [await newProgram(), await newProgram()]
    const invited = await inviteOf(one)
    const { token: firstToken } = invited.body.data
    expect(invited).toMatchObject({
      status: 201,
      body: {
        data: {
          partner_id: one.partner_id,
          token: expect.stringMatching(/^affi_/),
          expires_at: expect.any(String),
        },
      },
    })
    const email = newEmail()
    const accepted = await accept({ token: firstToken, email, name: "Pat" })
    expect(accepted).toMatchObject({
      status: 200,
      body: { data: { user: { email, name: "Pat" }, workspace: null } },
    })
    const partner = await partnerOf(accepted.body.data.token)
    expect(partner).toEqual({ id: expect.any(Number) })
    expect(await accountOf(one.partner_id)).toBe(partner.id)

    const { token } = (await inviteOf(two)).body.data
    expect((await accept({ token, email, password: "a wrong password" })).status).toBe(401)
    const again = await accept({ token, email })
    expect(await partnerOf(again.body.data.token)).toEqual(partner)
    expect(await accountOf(two.partner_id)).toBe(partner.id)
    expect((await inviteOf(one)).status).toBe(409)
  })

  test("uses the partner's address when none is given, and requires its password", async () => {
    const program = await newProgram()
    const [{ email }] = await sql<[{ email: string }]>`
      select email
      from commissions.partner_programs
      where partner_id = ${program.partner_id}
    `
    await send("POST", "/api/auth/sign-up", {
      body: { email, password: "not the invited one", name: "Squatter" },
    })
    const { token } = (await inviteOf(program)).body.data
    expect((await accept({ token })).status).toBe(401)
    expect(await accountOf(program.partner_id)).toBeNull()
    expect((await accept({ token, password: "not the invited one" })).status).toBe(200)
  })

  test("replaces the token until it is used, which succeeds once when calls race", async () => {
    const program = await newProgram()
    const [first, second] = [await inviteOf(program), await inviteOf(program)]
    expect((await accept({ token: first.body.data.token, email: newEmail() })).status).toBe(400)
    const { token } = second.body.data
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => accept({ token, email: newEmail() })),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 400, 400, 400])
  })

  test("binds the partner later if commissions was unavailable", async () => {
    const program = await newProgram()
    const { token } = (await inviteOf(program)).body.data
    await sql`alter table commissions.partners rename to away`
    const accepted = await accept({ token, email: newEmail() }).finally(
      () => sql`alter table commissions.away rename to partners`,
    )
    expect(accepted.status).toBe(200)
    await sql`
      update identity.partner_bindings
      set try_after = now()
      where partner_id = ${program.partner_id}
    `
    while ((await accountOf(program.partner_id)) === null) await Bun.sleep(100)
    expect(await partnerOf(accepted.body.data.token)).toEqual({
      id: await accountOf(program.partner_id),
    })
  })

  test("shows the program that there is an account, and nothing else of it", async () => {
    const program = await newProgram()
    const show = () =>
      send("GET", `${program.path}/partners/${program.partner_id}`, { token: program.session })
    const before = await show()
    const { token } = (await inviteOf(program)).body.data
    await accept({ token, email: newEmail(), name: "Another name" })
    expect((await show()).body.data).toEqual({ ...before.body.data, account: "bound" })
  })

  refusesBadCredentials("POST", ({ path, partner_id }) => `${path}/partners/${partner_id}/invite`)

  test("404: not a partner of this program; 400: a broken body; 409: removed", async () => {
    const [program, other] = [await newProgram(), await newProgram()]
    const post = (path: string, body?: unknown) =>
      send("POST", path, {
        token: program.session,
        body,
        headers: { "content-type": "application/json" },
      })
    const partners = `${program.path}/partners`
    expect((await post(`${partners}/${other.partner_id}/invite`, "{")).status).toBe(404)
    expect((await post(`${partners}/abc/invite`)).status).toBe(404)
    expect((await post(`${other.path}/partners/${other.partner_id}/invite`)).status).toBe(404)
    expect((await post(`${partners}/${program.partner_id}/invite`, "{")).status).toBe(400)
    await send("PUT", `${partners}/${program.partner_id}`, {
      token: program.session,
      body: { status: "removed" },
    })
    expect((await post(`${partners}/${program.partner_id}/invite`)).status).toBe(409)
  })
})

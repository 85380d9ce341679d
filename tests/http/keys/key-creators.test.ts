import { beforeEach, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { KEYS, newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let creator: { session: string; user_id: number }
beforeEach(async () => {
  program = await newProgram()
  const session = await newMember(program, "admin")
  const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
  creator = { session, user_id: user.id }
})

const keyOf = ({ session }: { session: string }, fields: object = {}) => {
  const workspace = { "x-workspace-id": `${program.workspace_id}` }
  return send("POST", KEYS, {
    token: session,
    headers: workspace,
    body: { name: "Key", ...fields },
  })
}
const newKeyOfCreator = async (): Promise<{ id: number; key: string }> =>
  (await keyOf(creator)).body.data

/** Changes the member who created the keys, as the owner. */
const change = (body: object) =>
  send("PUT", `/api/workspaces/${program.workspace_id}/members/${creator.user_id}`, {
    token: program.session,
    body,
  })

const statusOf = async (id: number): Promise<string> => {
  const { data } = (await send("GET", `${KEYS}?pageSize=100`, { token: program.session })).body
  return data.find((key: { id: number }) => key.id === id).status
}

/** What a key may do: read the program, change it, and list the keys. */
async function may(token: string) {
  const read = await send("GET", program.path, { token })
  const write = await send("PUT", program.path, { token, body: { name: "Renamed" } })
  const keys = await send("GET", KEYS, { token })
  return [read, write, keys].map(({ status }) => status)
}

describe("a key does no more than its creator may do now:", () => {
  test("a demoted creator's key is demoted from the next request on, and back", async () => {
    const { key } = await newKeyOfCreator()
    expect(await may(key)).toEqual([200, 200, 200])
    await change({ role: "analyst" })
    expect(await may(key)).toEqual([200, 403, 403])
    await change({ role: "billing" })
    expect(await may(key)).toEqual([200, 403, 403])
    await change({ role: "admin" })
    expect(await may(key)).toEqual([200, 200, 200])
  })

  test("a promotion gives a key nothing that it was not given", async () => {
    const { key } = await newKeyOfCreator()
    await change({ role: "owner" })
    expect((await send("DELETE", program.path, { token: key })).status).toBe(403)
    const later = await newKeyOfCreator()
    expect((await send("DELETE", program.path, { token: later.key })).status).toBe(200)
  })

  test("a key of an owner who is an admin now cannot delete a program", async () => {
    await change({ role: "owner" })
    const { key } = await newKeyOfCreator()
    await change({ role: "admin" })
    expect((await send("DELETE", program.path, { token: key })).status).toBe(403)
    expect(await may(key)).toEqual([200, 200, 200])
  })

  test("a key whose creator is not known keeps the role that it was given", async () => {
    const { id, key } = await newKeyOfCreator()
    await sql`update identity.api_keys set created_by = null where id = ${id}`
    await sql`
      delete from identity.audit_entries
      where action = 'api_key.create' and subject_id = ${id}
    `
    await change({ role: "analyst" })
    expect(await may(key)).toEqual([200, 200, 200])
  })

  test("a key that an older process created without its creator is found in the audit log", async () => {
    const { id, key } = await newKeyOfCreator()
    await sql`update identity.api_keys set created_by = null where id = ${id}`
    await change({ role: "analyst" })
    expect(await may(key)).not.toEqual([200, 200, 200])
  })
})

describe("suspending a member", () => {
  test("revokes the keys that they created, and no others", async () => {
    const [{ id, key }, second] = [await newKeyOfCreator(), await newKeyOfCreator()]
    const owners = await newKey(program)
    const entries = await entriesWrittenBy(program, async () => {
      expect((await change({ status: "suspended" })).status).toBe(200)
    })
    expect(await may(key)).toEqual([401, 401, 401])
    expect([await statusOf(id), await statusOf(second.id)]).toEqual(["revoked", "revoked"])
    expect(await may(owners.key)).toEqual([200, 200, 200])

    const actor = { kind: "user", id: program.user_id }
    const revoked = entries.filter(({ action }: { action: string }) => action === "api_key.revoke")
    expect(revoked.map(({ subject }: { subject: { id: number } }) => subject.id).sort()).toEqual(
      [id, second.id].sort(),
    )
    expect(revoked[0]).toMatchObject({ actor, details: { status: "revoked" } })
    expect(entries).toHaveLength(3)

    await change({ status: "active" })
    expect(await statusOf(id)).toBe("revoked")
  })

  test("keeps the keys with revoke_keys: false, with the role that the member last had", async () => {
    const { id, key } = await newKeyOfCreator()
    const body = { role: "analyst", status: "suspended", revoke_keys: false }
    const { body: changed } = await change(body)
    expect(changed.data).toEqual({
      user_id: creator.user_id,
      email: expect.any(String),
      name: "Owner",
      role: "analyst",
      status: "suspended",
    })
    expect(await statusOf(id)).toBe("active")
    expect(await may(key)).toEqual([200, 403, 403])
    expect((await change({ role: "admin" })).status).toBe(200) // of a suspended member
    expect(await may(key)).toEqual([200, 200, 200])
    await change({ status: "suspended" })
    expect(await may(key)).toEqual([401, 401, 401])
  })

  test("leaves the keys of another workspace alone", async () => {
    const { key } = (await send("POST", KEYS, { token: creator.session, body: { name: "Own" } }))
      .body.data
    await change({ status: "suspended" })
    expect((await send("GET", KEYS, { token: key })).status).toBe(200)
  })

  test("leaves no active key behind when one is created at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      await change({ status: "active" })
      const [created] = await Promise.all([keyOf(creator), change({ status: "suspended" })])
      expect([201, 403]).toContain(created.status)
      const active = await sql`
        select id
        from identity.api_keys
        where created_by = ${creator.user_id}
          and workspace_id = ${program.workspace_id}
          and status = 'active'
      `
      expect(active).toHaveLength(0)
    }
  })
})

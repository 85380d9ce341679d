import { describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { newOwner, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

const signIn = ({ email, password }: Pick<Owner, "email" | "password">) =>
  send("POST", "/api/auth/sign-in", { body: { email, password } })

/** Makes a user a member of another workspace. */
const join = ({ workspace_id }: Owner, { user_id }: Owner, status: string) => sql`
  insert into identity.memberships (workspace_id, user_id, role, status)
  values (${workspace_id}, ${user_id}, 'analyst', ${status})
`

describe("the audit log has", () => {
  test("who signed in and out, in each workspace where they are active", async () => {
    const [user, active, suspended] = [await newOwner(), await newOwner(), await newOwner()]
    await join(active, user, "active")
    await join(suspended, user, "suspended")

    const inAndOut = async () => {
      const { token } = (await signIn(user)).body.data
      await send("POST", "/api/auth/sign-out", { token })
    }
    const expected = ["user.sign_out", "user.sign_in"].map(action => ({
      action,
      actor: { kind: "user", id: user.user_id, name: "Owner", address: expect.anything() },
      subject: { type: "user", id: user.user_id },
      program_id: null,
      details: {},
    }))
    expect(await entriesWrittenBy(user, inAndOut)).toMatchObject(expected)
    expect(await entriesWrittenBy(active, inAndOut)).toMatchObject(expected)
    expect(await entriesWrittenBy(suspended, inAndOut)).toEqual([])
  })

  test("who failed to sign in, without knowing who it was", async () => {
    const user = await newOwner()
    const entries = await entriesWrittenBy(user, async () => {
      expect((await signIn({ ...user, password: "wrong horse battery" })).status).toBe(401)
      await signIn({ ...user, email: `unknown.${user.email}` })
    })
    expect(entries).toMatchObject([
      {
        action: "user.refuse_sign_in",
        actor: { kind: "none", id: null, name: null, address: expect.anything() },
        subject: { type: "user", id: user.user_id },
        details: {},
      },
    ])
    expect(JSON.stringify(entries)).not.toContain("@")
  })

  test("one entry for one sign-out, however often it is sent", async () => {
    const user = await newOwner()
    const { token } = (await signIn(user)).body.data
    const signOut = () => send("POST", "/api/auth/sign-out", { token })
    const entries = await entriesWrittenBy(user, () =>
      Promise.all([signOut(), signOut(), signOut()]),
    )
    expect(entries).toMatchObject([{ action: "user.sign_out" }])
  })
})

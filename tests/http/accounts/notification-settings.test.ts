import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials } from "../../support/credentials"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newOwner, newProgram, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

const PATH = "/api/auth/notification-settings"
const DEFAULTS = {
  sale: "off",
  rejection: "instant",
  refund: "instant",
  payment: "instant",
  application: "instant",
  failing_endpoint: "instant",
}

const put = (token: string, body: unknown) => send("PUT", PATH, { token, body })
const settingsOf = async (token: string) => (await send("GET", PATH, { token })).body.data

let owner: Owner
beforeAll(async () => {
  owner = await newOwner()
})

describe(PATH, () => {
  test("shows the defaults at first, and absent kinds stay as they are", async () => {
    const { session } = await newOwner()
    expect(await settingsOf(session)).toEqual(DEFAULTS)
    const changed = { ...DEFAULTS, sale: "daily", refund: "off" }
    const { status, body } = await put(session, { sale: "daily", refund: "off", other: "daily" })
    expect({ status, body }).toEqual({ status: 200, body: { data: changed } })
    expect((await put(session, {})).body.data).toEqual(changed)
    expect((await put(session, { sale: "weekly" })).body.data).toEqual({
      ...changed,
      sale: "weekly",
    })
    expect(await settingsOf(session)).toEqual({ ...changed, sale: "weekly" })
    expect(await settingsOf(owner.session)).toEqual(DEFAULTS)
  })

  test("partners have settings, too", async () => {
    const session = await newPartnerAccount(await newProgram(), newEmail())
    expect((await put(session, { payment: "weekly" })).body.data.payment).toBe("weekly")
  })

  test("leaves an entry in the log of each own workspace, if something changed", async () => {
    const { session, workspace_id, user_id } = await newOwner()
    const other = await send("POST", "/api/workspaces", { token: session, body: { name: "Other" } })
    for (const _time of ["first", "second"])
      await put(session, { sale: "daily", refund: "instant" })
    const entries = await sql`
      select workspace_id, actor_kind, actor_id, details
      from identity.audit_entries
      where action = 'user.update_notification_settings' and subject_id = ${user_id}
      order by workspace_id
    `
    expect([...entries]).toEqual(
      [workspace_id, other.body.data.id].map(id => ({
        ...{ workspace_id: id, actor_kind: "user", actor_id: user_id },
        details: { sale: "daily" },
      })),
    )
  })

  refusesBadCredentials("GET", () => PATH)
  refusesBadCredentials("PUT", () => PATH)

  test.each([
    ["an unknown frequency", { sale: "hourly" }],
    ["no text", { sale: true }],
    ["null", { sale: null }],
    ["a list", []],
  ])("400: %s", async (_what, body) => {
    const reply = await put(owner.session, body)
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect(await settingsOf(owner.session)).toEqual(DEFAULTS)
  })
})

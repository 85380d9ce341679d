import { beforeEach, describe, expect, test } from "bun:test"
import { listAuditLog } from "../../support/audit-log"
import { newSale, settle } from "../../support/books"
import { runAudit } from "../../support/commands"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { generateTraffic, launchOwnSystem } from "../../support/own-system"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let partner: { partner_id: number; commission_id: number }
beforeEach(async () => {
  program = await newProgram()
  partner = await newSale(program)
})

const pathOf = ({ path }: { path: string }, partner_id: unknown = partner.partner_id) =>
  `${path}/partners/${partner_id}/account`
const unbind = (token = program.session, path = pathOf(program)) => send("DELETE", path, { token })
const bind = (email?: string) => newPartnerAccount({ ...program, ...partner }, email)

const shownTo = async (session: string, whose: "partner" | "advertiser") => {
  const path = `/api/${whose}/notifications?pageSize=100`
  return (await send("GET", path, { token: session })).body.data
}
const kindsOf = async (session: string, whose: "partner" | "advertiser" = "partner") =>
  (await shownTo(session, whose)).map(({ kind }: { kind: string }) => kind)

describe("DELETE /api/advertiser/affiliate-programs/:id/partners/:partnerId/account", () => {
  test("unbinds the account, which sees nothing of the partner from then on", async () => {
    const session = await bind()
    await settle(program, partner.commission_id, "reject", { reason: "a test" })
    expect(await kindsOf(session)).toEqual(["commission_rejected"])
    const { status, body } = await unbind()
    expect({ status, body }).toEqual({ status: 200, body: { data: {} } })
    expect(await kindsOf(session)).toEqual(["account_unbound"])

    const shown = await send("GET", `${program.path}/partners/${partner.partner_id}`, {
      token: program.session,
    })
    expect(shown.body.data).toMatchObject({ status: "approved" })
  })

  test("notifies both sides once, in notifications that can be read and marked", async () => {
    const session = await bind()
    await unbind()
    const [toPartner, ...others] = await shownTo(session, "partner")
    expect(others).toEqual([])
    expect(toPartner).toEqual({
      id: expect.any(Number),
      kind: "account_unbound",
      program_id: program.program_id,
      commission_id: null,
      sale_id: null,
      transaction_id: null,
      message: expect.stringContaining(`partner ${partner.partner_id}`),
      read_at: null,
      created_at: expect.any(String),
    })
    const [toAdvertiser] = await shownTo(program.session, "advertiser")
    expect(toAdvertiser).toMatchObject({ kind: "account_unbound", commission_id: null })

    const read = `/api/partner/notifications/${toPartner.id}/read`
    const marked = await send("POST", read, { token: session })
    expect(marked.body.data.read_at).toEqual(expect.any(String))
    const unread = await send("GET", "/api/partner/notifications?unread=true", { token: session })
    expect(unread.body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
  })

  test("is written to the audit log, without the person", async () => {
    const email = newEmail()
    await bind(email)
    await unbind()
    const [entry] = (await listAuditLog(program)).body.data
    expect(entry).toMatchObject({
      action: "partner.unbind_account",
      actor: { kind: "user", id: program.user_id },
      subject: { type: "partner", id: partner.partner_id },
      program_id: program.program_id,
      details: {},
    })
    expect(JSON.stringify(entry)).not.toContain(email)
  })

  test("lets the partner be invited again, also by another person or the same", async () => {
    const first = newEmail()
    const session = await bind(first)
    const invite = () =>
      send("POST", `${program.path}/partners/${partner.partner_id}/invite`, {
        token: program.session,
      })
    expect((await invite()).status).toBe(409)
    await unbind()
    expect((await invite()).status).toBe(201)

    const other = await bind()
    await settle(program, partner.commission_id, "reject", { reason: "a test" })
    expect(await kindsOf(other)).toEqual(["commission_rejected"])
    expect(await kindsOf(session)).toEqual(["account_unbound"])
    await unbind()
    await bind(first)
    expect(await kindsOf(session)).toEqual(["commission_rejected", "account_unbound"])
    expect(await kindsOf(other)).toEqual(["account_unbound"])
    expect(await kindsOf(program.session, "advertiser")).toEqual(Array(2).fill("account_unbound"))
  })

  test("unbinds once, however many calls race", async () => {
    const session = await bind()
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => unbind()))).map(
      ({ status }) => status,
    )
    expect(statuses).toContain(200)
    for (const status of statuses) expect([200, 404]).toContain(status)
    expect(await kindsOf(session)).toEqual(["account_unbound"])
    expect(await kindsOf(program.session, "advertiser")).toEqual(["account_unbound"])
    const entries = (await listAuditLog(program, "?pageSize=100")).body.data
    const actions = entries.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === "partner.unbind_account")).toHaveLength(1)
  })

  test("leaves the person's other partners bound", async () => {
    const email = newEmail()
    const session = await bind(email)
    const second = await newSale(program)
    await newPartnerAccount({ ...program, ...second }, email)
    await settle(program, second.commission_id, "reject", { reason: "a test" })
    await unbind()
    expect(await kindsOf(session)).toEqual(["account_unbound", "commission_rejected"])
  })

  test("404: no account is bound, or none any more", async () => {
    expect(await unbind()).toMatchObject({ status: 404, body: { error: expect.any(String) } })
    await bind()
    await unbind()
    expect((await unbind()).status).toBe(404)
  })

  refusesBadCredentials(
    "DELETE",
    ({ path, partner_id }) => `${path}/partners/${partner_id}/account`,
  )

  test.each<[number, string, () => Promise<[token: string, path?: string]>]>([
    [403, "an analyst", async () => [await newMember(program, "analyst")]],
    [403, "a billing member", async () => [await newMember(program, "billing")]],
    [403, "a key that may only read", async () => [await keyWith("program:read")]],
    [200, "an admin", async () => [await newMember(program, "admin")]],
    [200, "a key with program:update", async () => [await keyWith("program:update")]],
    [404, "the owner of another program", async () => [(await newProgram()).session]],
    [403, "an analyst, for an unknown partner", async () => unknown("analyst")],
    [404, "an admin, for an unknown partner", async () => unknown("admin")],
    [404, "a partner of another program", async () => [program.session, await foreignPath()]],
  ])("%i: %s", async (status, _who, caller) => {
    const session = await bind()
    const [token, path] = await caller()
    expect((await unbind(token, path)).status).toBe(status)
    expect(await kindsOf(session)).toEqual(status === 200 ? ["account_unbound"] : [])
  })

  const keyWith = async (scope: string) => (await newKey(program, { scopes: [scope] })).key
  const unknown = async (role: string): Promise<[string, string]> => [
    await newMember(program, role),
    pathOf(program, "9007199254740991"),
  ]
  const foreignPath = async () => pathOf(program, (await newPartner(await newProgram())).partner_id)
})

test("after an unbinding, the audit finds the books clean", async () => {
  const system = await launchOwnSystem()
  const { program_id, session } = await generateTraffic(system)
  const partners = `/api/advertiser/affiliate-programs/${program_id}/partners`
  const [{ partner_id }] = (await system.read(partners, session)).data
  const { token } = (await system.send(`${partners}/${partner_id}/invite`, {}, session)).data
  const account = { token, email: "person@example.com", password: "correct horse battery" }
  await system.send("/api/auth/accept-invitation", account)
  const path = `${partners}/${partner_id}/account`
  expect((await system.request("DELETE", path, { token: session })).status).toBe(200)
  const { code, output } = await runAudit(system.data_dir)
  expect(code, output).toBe(0)
  await system.stop()
}, 60_000)

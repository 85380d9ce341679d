import { beforeAll, describe, expect, test } from "bun:test"
import { listAuditLog } from "../../support/audit-log"
import { newPartnerAccount } from "../../support/partner-account"
import { newPartner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

let count = 0
const email = () => `edit-${process.pid}-${Date.now()}-${++count}@example.com`
const request = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, `${program.path}/partners${path}`, { token, body })
const put = (partner_id: number, change: object) => request("PUT", `/${partner_id}`, change)
const show = async (partner_id: number) => (await request("GET", `/${partner_id}`)).body.data

describe("PUT …/partners/:partnerId", () => {
  test("changes name, e-mail address and note, and nothing else", async () => {
    const { partner_id } = await newPartner(program)
    const before = await show(partner_id)
    const change = { name: "Ada <b>", email: email(), note: "Met at the fair.\nCall on Mondays." }
    const { status, body } = await put(partner_id, change)
    expect({ status, data: body.data }).toEqual({ status: 200, data: { ...before, ...change } })
    expect(await show(partner_id)).toEqual({ ...before, ...change })
    expect((await request("GET", `?search=${change.email.toUpperCase()}`)).body.data).toEqual([
      { ...before, ...change },
    ])
  })

  test.each([null, ""])("note %p clears the note", async note => {
    const { partner_id } = await newPartner(program)
    await put(partner_id, { note: "Something" })
    expect((await put(partner_id, { note })).body.data.note).toBeNull()
  })

  test("changes all fields at once", async () => {
    const { partner_id } = await newPartner(program)
    const change = { status: "suspended", name: "Both", note: "Why" }
    expect((await put(partner_id, change)).body.data).toMatchObject(change)
  })

  test("another partner's e-mail address is 409 in any case, one's own is not", async () => {
    const [taken, own] = [email(), email()]
    await newPartner(program, { email: taken })
    const { partner_id } = await newPartner(program, { email: own })
    const refused = await put(partner_id, { email: taken.toUpperCase(), name: "New", note: "New" })
    expect(refused).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    expect(await show(partner_id)).toMatchObject({ email: own, name: "Partner", note: null })

    const changed = await put(partner_id, { email: own.toUpperCase() })
    expect(changed).toMatchObject({ status: 200, body: { data: { email: own.toUpperCase() } } })
    const elsewhere = await newPartner(await newProgramOf(program), { email: taken })
    expect(elsewhere.partner_id).toBeGreaterThan(0)
  })

  test("of twenty partners that race for one address, one gets it", async () => {
    const address = email()
    const partners = await Promise.all(Array.from({ length: 20 }, () => newPartner(program)))
    const replies = await Promise.all(
      partners.map(({ partner_id }) => put(partner_id, { email: address })),
    )
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(409)])
  })

  test("an old address is free for another partner", async () => {
    const old = email()
    const { partner_id } = await newPartner(program, { email: old })
    await put(partner_id, { email: email() })
    expect((await request("POST", "", { email: old, name: "Next" })).status).toBe(201)
  })

  test("leaves the bound account as it is: it signs in with its own address", async () => {
    const { partner_id } = await newPartner(program)
    const own = email()
    const session = await newPartnerAccount({ ...program, partner_id }, own)
    await put(partner_id, { email: email(), name: "As the program says" })
    const { body } = await send("GET", "/api/auth/session", { token: session })
    expect(body.data.user.email).toBe(own)
    expect((await show(partner_id)).account).toBe("bound")
  })

  test("is in the audit log, without what was written about a person", async () => {
    const { partner_id } = await newPartner(program)
    const change = { name: "Secret Name", email: email(), note: "Secret note" }
    await put(partner_id, { ...change, status: "suspended" })
    await put(partner_id, { ...change, status: "suspended" }) // changes nothing
    const entries = (await listAuditLog(program, "?pageSize=100")).body.data.filter(
      ({ action, subject }: any) => action === "partner.update" && subject.id === partner_id,
    )
    expect(entries.map(({ details }: any) => details)).toEqual([
      { status: "suspended" },
      { changed: ["name", "email", "note"] },
    ])
    expect(JSON.stringify(entries)).not.toContain("Secret")
    expect(JSON.stringify(entries)).not.toContain(change.email)
  })

  test.each([
    ["name is empty", { name: "" }],
    ["name is only spaces", { name: " \n" }],
    ["name is null", { name: null }],
    ["name is too long", { name: "x".repeat(256) }],
    ["email is none", { email: "ada" }],
    ["email is null", { email: null }],
    ["email turns direction", { email: "a\u202e@example.com" }],
    ["note is too long", { note: "x".repeat(2_001) }],
    ["note is a number", { note: 1 }],
    ["note holds NUL", { note: "a\0b" }],
  ])("400: %s", async (_why, change) => {
    const before = await show(program.partner_id)
    const { status, body } = await put(program.partner_id, { ...change, status: "suspended" })
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
    expect(await show(program.partner_id)).toEqual(before)
  })
})

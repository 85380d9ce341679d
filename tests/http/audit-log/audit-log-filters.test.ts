import { beforeAll, describe, expect, test } from "bun:test"
import { auditLogPath, listAuditLog } from "../../support/audit-log"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import {
  newOwner,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let admin: { session: string; user_id: number }
let key: { id: number; key: string }
beforeAll(async () => {
  program = await newProgram()
  const session = await newMember(program, "admin")
  const { user } = (await send("GET", "/api/auth/session", { token: session })).body.data
  admin = { session, user_id: user.id }
  key = await newKey(program)
  await newPartner({ ...program, session })
  await send("PUT", program.path, { token: key.key, body: { name: '=1+1"\n@x' } })
  await newProgramOf(program)
})

const entries = async (query: string, of: TestProgram = program) => {
  const { status, body } = await listAuditLog(of, `?pageSize=100&${query}`)
  expect(status).toBe(200)
  return body.data as { id: number; at: string; action: string; program_id: number | null }[]
}
const actions = async (query: string) => (await entries(query)).map(({ action }) => action)

describe("the audit log is narrowed", () => {
  test("to an actor", async () => {
    expect(await actions(`actor_id=${admin.user_id}&actor_kind=user`)).toEqual(["partner.create"])
    expect(await actions(`actor_id=${key.id}&actor_kind=key`)).toEqual(["program.update"])
    expect(await actions(`actor_id=${key.id}&actor_kind=user`)).toEqual([])
  })

  test("to an action, a program, a subject", async () => {
    expect(await actions("action=program.update")).toEqual(["program.update"])
    expect(await actions("action=program")).toEqual([])
    const ofProgram = await entries(`program_id=${program.program_id}`)
    expect(new Set(ofProgram.map(({ program_id }) => program_id))).toEqual(
      new Set([program.program_id]),
    )
    expect(ofProgram).toHaveLength(4) // created, two partners, updated
    const subject = `subject_type=partner&subject_id=${program.partner_id}`
    expect(await actions(subject)).toEqual(["partner.create"])
  })

  test("to dates, both included", async () => {
    const all = await entries("")
    const [newest, oldest] = [all[0]!, all.at(-1)!]
    expect(await entries(`dateFrom=${oldest.at}&dateTo=${newest.at}`)).toEqual(all)
    const since = await entries(`dateFrom=${newest.at}`)
    expect(since.every(({ at }) => at === newest.at)).toBe(true)
    expect(await entries(`dateFrom=${newest.at.slice(0, 10)}`)).toEqual(all)
    expect(await entries("dateTo=2020-01-01")).toEqual([])
  })

  test("and counts what it lists", async () => {
    const { body } = await listAuditLog(program, "?action=partner.create&pageSize=1")
    expect(body.data).toHaveLength(1)
    expect(body.meta.pagination).toMatchObject({ total: 3, pageCount: 3 })
  })

  test("never to another workspace", async () => {
    const other = await newProgram()
    expect(await entries(`program_id=${other.program_id}`)).toEqual([])
    expect(await entries(`actor_id=${other.user_id}`)).toEqual([])
  })

  test.each([
    "actor_id=abc",
    "actor_id=0",
    "actor_kind=robot",
    "program_id=-1",
    "subject_id=1e3",
    "dateFrom=tomorrow",
    "dateFrom=2026-02-30",
    "dateFrom=2026-01-02&dateTo=2026-01-01",
    "format=xml",
    `action=${"x".repeat(256)}`,
  ])("400: %s", async query => {
    for (const format of ["", "&format=csv"]) {
      const { status, body } = await listAuditLog(
        program,
        `?${query}${query.includes("format") ? "" : format}`,
      )
      expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
    }
  })
})

describe("the audit log as CSV", () => {
  const csv = async (query: string, headers: Record<string, string> = {}, of = program) =>
    send("GET", auditLogPath(of) + query, { token: of.session, headers })

  test("has every entry of the selection, whatever the page, and no formula", async () => {
    const { data } = (await listAuditLog(program, "?pageSize=100")).body
    const { status, headers, body } = await csv("?format=csv&pageSize=1")
    expect(status).toBe(200)
    expect(headers.get("content-type")).toStartWith("text/csv")
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="audit-log-${program.workspace_id}.csv"`,
    )
    const [head, ...lines] = (body as string).trimEnd().split("\r\n")
    expect(head).toBe(
      "id,at,actor_kind,actor_id,actor_name,actor_address,action,subject_type,subject_id,program_id,details,request_id",
    )
    expect(lines.map(line => Number(line.split(",")[0]))).toEqual(
      data.map(({ id }: { id: number }) => id),
    )
    expect(body).not.toMatch(/(^|,)"?[=+@-]/m)
    const narrowed = await csv("?action=program.update", { accept: "text/csv" })
    expect(narrowed.body.trimEnd().split("\r\n")).toHaveLength(2)
  })

  test("is exported in parts, without a gap or a repeat", async () => {
    const of = await newProgram()
    const details = { name: "x".repeat(250) }
    for (let i = 0; i < 30; i++) {
      await send("PUT", of.path, { token: of.session, body: { name: `${details.name}${i}` } })
    }
    const lines = (await csv("?format=csv", {}, of)).body.trimEnd().split("\r\n").slice(1)
    const ids = lines.map((line: string) => line.split(",")[0])
    expect(new Set(ids).size).toBe(ids.length)
    expect(lines).toHaveLength(32)
  })

  test("is an entry itself, and so are other exports", async () => {
    const of = await newProgram()
    await csv("?format=csv", {}, of)
    const events = `/api/tracking/events/${of.program_id}`
    await send("GET", events, { token: of.session, headers: { accept: "text/csv" } })
    await send("GET", `${events}?format=csv`, { token: (await newOwner()).session }) // refused
    await send("HEAD", `${events}?format=csv`, { token: of.session })
    const [exported, taken, ...others] = await entries("", of)
    expect(exported).toMatchObject({ action: "program.export", details: { list: "events" } })
    expect(taken).toMatchObject({
      action: "workspace.export",
      program_id: null,
      details: { list: "audit-log" },
    })
    expect(others).toHaveLength(2)
  })
})

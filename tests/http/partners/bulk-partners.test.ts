import { beforeAll, describe, expect, test } from "bun:test"
import { listAuditLog } from "../../support/audit-log"
import { newManyPartners } from "../../support/many-partners"
import { newPartner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram()
  other = await newProgramOf(program)
})

const bulk = (body: unknown, of = program) =>
  send("POST", `${of.path}/partners/bulk`, { token: of.session, body })
const show = async (partner_id: number) =>
  (await send("GET", `${program.path}/partners/${partner_id}`, { token: program.session })).body
    .data
const click = (code: string) =>
  send("POST", "/api/v1/track/click", {
    body: { affiliate_url: `https://shop.example/?aff=${code}` },
  })

describe("POST …/partners/bulk", () => {
  test.each([
    ["suspend", "suspended"],
    ["remove", "removed"],
    ["approve", "approved"],
  ])("%s makes them %s, here and in tracking, and may be repeated", async (action, status) => {
    const [one, two] = [await newPartner(program), await newPartner(program)]
    const ids = [two.partner_id, one.partner_id]
    for (const _time of ["first", "again"]) {
      const { status: answered, body } = await bulk({ action, ids })
      expect(answered).toBe(200)
      expect(body.data).toEqual(ids.map(id => ({ id, ok: true })))
    }
    for (const id of ids) expect((await show(id)).status).toBe(status)
    const clicked = await click(one.code)
    expect(clicked.status).toBe(action === "remove" ? 400 : 200)
    expect(clicked.body.success ?? false).toBe(action === "approve")
  })

  test("move gives them a group", async () => {
    const body = { name: "VIP", policy: { kind: "percent", rate_bps: 5_000 } }
    const group = await send("POST", `${program.path}/groups`, { token: program.session, body })
    const group_id = group.body.data.id
    const { partner_id } = await newPartner(program)
    const moved = await bulk({ action: "move", ids: [partner_id], group_id })
    expect(moved.body.data).toEqual([{ id: partner_id, ok: true }])
    expect(await show(partner_id)).toMatchObject({ group_id, status: "approved" })
  })

  test("answers in the order of the request, a repeated id once, and says what failed", async () => {
    const { partner_id } = await newPartner(program)
    const ids = [999_999_999, partner_id, other.partner_id, partner_id, 999_999_999]
    const { status, body } = await bulk({ action: "suspend", ids })
    const error = "Partner not found in this program."
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: [
        { id: 999_999_999, ok: false, error },
        { id: partner_id, ok: true },
        { id: other.partner_id, ok: false, error },
      ],
    })
    const path = `${other.path}/partners/${other.partner_id}`
    const { data } = (await send("GET", path, { token: other.session })).body
    expect(data.status).toBe("approved")
  })

  test("another program's group is 400", async () => {
    const { body } = await send("GET", `${other.path}/groups`, { token: other.session })
    const change = { action: "move", ids: [program.partner_id], group_id: body.data[0].id }
    expect((await bulk(change)).status).toBe(400)
  })

  test("writes one entry for each changed partner to the audit log", async () => {
    const [one, two] = [await newPartner(program), await newPartner(program)]
    await bulk({ action: "suspend", ids: [one.partner_id] })
    await bulk({ action: "suspend", ids: [one.partner_id, two.partner_id] })
    const entries = (await listAuditLog(program, "?pageSize=100")).body.data.filter(
      ({ action, subject }: any) =>
        action === "partner.update" && [one.partner_id, two.partner_id].includes(subject.id),
    )
    expect(entries.map(({ subject, details }: any) => [subject.id, details])).toEqual([
      [two.partner_id, { status: "suspended" }],
      [one.partner_id, { status: "suspended" }],
    ])
  })

  test("of 500 rows with 10 impossible ones, 490 are done and the 10 are named", async () => {
    const name = `bulk-${process.pid}-${Date.now().toString(36)}`
    const possible = await newManyPartners(program, 490, { name, code: name })
    const impossible = Array.from({ length: 10 }, (_, i) => 900_000_000 + i)
    const ids = possible.flatMap((id, i) => (i % 49 ? [id] : [impossible[i / 49]!, id]))
    expect(ids.length).toBe(500)

    const suspend = () => bulk({ action: "suspend", ids })
    const isOutOfTime = ({ error }: { error?: string }) => error?.includes("send it again")
    let { status, body } = await suspend()
    while (body.data.some(isOutOfTime)) ({ status, body } = await suspend()) // on a busy machine
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
    const failed = body.data.filter(({ ok }: { ok: boolean }) => !ok)
    expect(failed.map(({ id }: { id: number }) => id)).toEqual(impossible)
    for (const { error } of failed) expect(error).toBe("Partner not found in this program.")

    const tracked = await sql<{ status: string; count: number }[]>`
      select status, count(*) as count
      from tracking.partner_programs
      where partner_id = any (${possible}::bigint[])
      group by status
    `
    expect(tracked).toMatchObject([{ status: "suspended", count: 490 }])
  }, 20_000)

  test.each([
    ["no such action", { action: "ban" }],
    ["no action", { action: undefined }],
    ["no ids", { ids: [] }],
    ["ids is no list", { ids: 1 }],
    ["an id is text", { ids: ["1"] }],
    ["an id is null", { ids: [null] }],
    ["501 ids", { ids: Array.from({ length: 501 }, (_, i) => i + 1) }],
    ["move without a group", { action: "move" }],
    ["a group that does not exist", { action: "move", group_id: 999_999_999 }],
  ])("400 for all of them: %s", async (_why, change) => {
    const { partner_id } = await newPartner(program)
    const body = { action: "suspend", ids: [partner_id], ...change }
    expect(await bulk(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect((await show(partner_id)).status).toBe("approved")
  })

  test("409 for an archived program", async () => {
    const archived = await newProgramOf(program)
    await send("DELETE", archived.path, { token: program.session })
    const body = { action: "suspend", ids: [archived.partner_id] }
    expect((await bulk(body, archived)).status).toBe(409)
  })
})

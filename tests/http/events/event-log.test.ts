import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, sell, settle } from "../../support/books"
import { readEventLog, untilPublished, writtenEventIds } from "../../support/event-log"
import { newKey } from "../../support/key"
import { newClick, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const RENAMED = { name: "Renamed" }

let program: TestProgram
let others: TestProgram // of the same workspace

beforeAll(async () => {
  program = await newProgram()
  others = await newProgramOf(program)
  const { commission_id, transaction_id } = await newSale(program)
  await newSale(others)
  await settle(program, commission_id, "approve")
  await refund(program, { transaction_id, refund_amount_cents: 100 })
  await send("PUT", program.path, { token: program.session, body: RENAMED })
  await untilPublished(sql, program.program_id)
})

const logOf = ({ path, session }: TestProgram, query = "", token = session) =>
  send("GET", `${path}/event-log${query}`, { token })
const read = async (path: string) => (await send("GET", path, { token: program.session })).body

describe("the event log", () => {
  test("has each event of the program once, numbered without gaps", async () => {
    const events = await readEventLog(read, program.program_id)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
    expect(events.map(({ id }) => id).toSorted()).toEqual(
      await writtenEventIds(sql, program.program_id),
    )
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      "commission.approved",
      "commission.created",
      "commission.refunded",
      "partner.approved",
      "partner.approved",
      "program.updated",
      "refund.recorded",
      "sale.recorded",
    ])
  })

  test("shows an event with its object and what changed in it", async () => {
    const { body } = await logOf(program, "?types=program.updated")
    const { name, ...rest } = body.data[0].data.previous
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "program.updated",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      api_version: "2026-11",
      sequence: expect.any(Number),
      workspace_id: program.workspace_id,
      program_id: program.program_id,
      test: false,
      data: expect.objectContaining({ id: program.program_id, ...RENAMED }),
    })
    expect(name).toStartWith("Program-")
    expect(Object.keys(rest)).toEqual(["updated_at"])
  })

  test("has the same events in pages of any size", async () => {
    const all = await readEventLog(read, program.program_id)
    for (const pageSize of [1, 3]) {
      expect(await readEventLog(read, program.program_id, pageSize)).toEqual(all)
    }
    const { body } = await logOf(program, `?after=${all.length}`)
    expect(body).toEqual({ data: [], meta: { next: all.length } })
    expect((await logOf(program, "?pageSize=2")).body.meta).toEqual({ next: 2 })
  })

  test("can be narrowed to types", async () => {
    const { body } = await logOf(program, "?types=refund.recorded,sale.recorded")
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      "sale.recorded",
      "refund.recorded",
    ])
    expect(body.meta.next).toBe(body.data[1].sequence)
    expect((await logOf(program, "?types=claim.opened&after=2")).body.meta.next).toBe(2)
  })

  test.each([
    "after=-1",
    "after=x",
    "after=1.5",
    "after=99999999999999999",
    "types=click.recorded",
    "types=sale.recorded,",
    "types=saleXrecorded",
    "pageSize=0",
    "pageSize=101",
  ])("refuses ?%s", async query => {
    expect(await logOf(program, `?${query}`)).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
  })

  test("is for keys with program:read or webhook:manage, of their programs only", async () => {
    const program_scope = [program.program_id]
    for (const scope of ["program:read", "webhook:manage"]) {
      const { key } = await newKey(program, { scopes: [scope], program_scope })
      expect((await logOf(program, "", key)).status).toBe(200)
      expect((await logOf(others, "", key)).status).toBe(403)
    }
    const { key } = await newKey(program, { scopes: ["program:update"] })
    expect((await logOf(program, "", key)).status).toBe(403)
    expect((await logOf(await newProgram(), "", program.session)).status).toBe(404)
  })

  test("has nothing of test mode, of a repeat and of a refused call", async () => {
    const before = await readEventLog(read, program.program_id)
    const click_id = await newClick(program)
    const track = (what: string, body: object) =>
      send("POST", `/api/v1/track/${what}`, { token: program.api_token, body })
    const tested = { click_id, additional_data: { test_mode: true } }
    const sale = { transaction_id: `test-${click_id}`, amount_cents: 100 }
    expect((await track("lead", tested)).status).toBe(200)
    expect((await track("sale", { ...tested, ...sale })).status).toBe(200)
    expect((await track("sale", { ...sale, click_id: "clk_unknown" })).status).toBe(400)

    const sold = await sell(program, program.code) // what comes after them is in the log
    await untilPublished(sql, program.program_id)
    const added = (await readEventLog(read, program.program_id)).slice(before.length)
    expect(added.map(({ type }) => type).toSorted()).toEqual([
      "commission.created",
      "sale.recorded",
    ])
    expect(added.map(({ data }) => data.transaction_id)).toEqual(
      added.map(() => sold.transaction_id),
    )
  })

  test("loses what names an erased customer, and nothing else", async () => {
    const [click_id, customer_key] = [await newClick(program), `erased-${Date.now()}`]
    const lead = { click_id, customer_key, email: "erased@lovelace.example" }
    await send("POST", "/api/v1/track/lead", { token: program.api_token, body: lead })
    await sell(program, program.code, { click_id: undefined, customer_key })
    await untilPublished(sql, program.program_id)
    const namedIn = async () => {
      const events = await readEventLog(read, program.program_id)
      return events.filter(({ data }) => JSON.stringify(data).includes(customer_key))
    }
    const ids = (await readEventLog(read, program.program_id)).map(({ id }) => id)
    expect((await namedIn()).map(({ type }) => type)).toEqual(["lead.created", "sale.recorded"])

    const path = `${program.path}/customers/${customer_key}`
    expect((await send("DELETE", path, { token: program.session })).status).toBe(200)
    while ((await namedIn()).length > 0) await Bun.sleep(20)
    const after = await readEventLog(read, program.program_id)
    expect(after.map(({ id }) => id)).toEqual(ids)
    expect(JSON.stringify(after)).not.toContain(click_id)
  })
})

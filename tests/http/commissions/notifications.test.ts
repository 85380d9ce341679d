import { beforeAll, describe, expect, test } from "bun:test"
import { refund, settle } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newRefundOfPaidSale } from "../../support/paid-refund"
import { newPartnerAccount } from "../../support/partner-account"
import {
  newClick,
  newOwner,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

const NOTIFICATIONS = "/api/advertiser/notifications"
const READ = `${NOTIFICATIONS}/read`

type Workspace = number | string | undefined
const list = (token: string, query = "", workspace?: Workspace) =>
  send("GET", `${NOTIFICATIONS}${query}`, { token, headers: workspaceHeader(workspace) })
const read = (token: string, id: number | string, body?: unknown) =>
  send("POST", `${NOTIFICATIONS}/${id}/read`, { token, body, headers: JSON_TYPE })
const readAll = (token: string, body?: unknown, workspace?: Workspace) =>
  send("POST", READ, { token, body, headers: { ...JSON_TYPE, ...workspaceHeader(workspace) } })
const JSON_TYPE = { "content-type": "application/json" } // also for bodies that are not JSON
const workspaceHeader = (workspace: Workspace): Record<string, string> =>
  workspace === undefined ? {} : { "x-workspace-id": `${workspace}` }

type Shown = { id: number; program_id: number; read_at: string | null }
const shownTo = async (token: string, query = ""): Promise<Shown[]> =>
  (await list(token, query)).body.data
const idsOf = (notifications: Shown[]) => notifications.map(({ id }) => id)
const unread = "?unread=true"

let program: TestProgram
let sibling: TestProgram
let foreign: TestProgram
let newest: number
beforeAll(async () => {
  program = await newProgram()
  sibling = await newProgramOf(program)
  foreign = await newProgram()
  for (const of of [program, sibling, foreign]) await newRefundOfPaidSale(of)
  newest = (await shownTo(program.session))[0]!.id
})

describe("GET /api/advertiser/notifications", () => {
  test("warns of each refund of a paid commission, and hides what the partner gets", async () => {
    const program = await newProgram()
    const sale = await newRefundOfPaidSale(program)
    const { transaction_id, commission_id } = sale
    const { status, body } = await list(program.session)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            id: expect.any(Number),
            kind: "paid_commission_refunded",
            program_id: program.program_id,
            commission_id,
            sale_id: expect.any(Number),
            transaction_id,
            message:
              `Sale ${transaction_id} was refunded after its commission was paid. ` +
              "The partner owes 0.30 USD: please review.",
            read_at: null,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
          },
        ],
        meta: { pagination: { page: 1, pageSize: 10, pageCount: 1, total: 1 } },
      },
    })
  })

  test("is newest first, and its pages neither repeat nor skip", async () => {
    const program = await newProgram()
    const parts = Array.from({ length: 5 }, () => 100)
    await newRefundOfPaidSale(program, parts)
    const all = idsOf(await shownTo(program.session))
    expect(all).toEqual(all.toSorted((one, other) => other - one))
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => list(program.session, `?pageSize=2&page=${page}`)),
    )
    expect(pages.flatMap(({ body }) => idsOf(body.data))).toEqual(all)
    expect(pages[3]!.body.meta.pagination).toEqual({ page: 4, pageSize: 2, pageCount: 3, total: 5 })

    await read(program.session, all[1]!)
    const left = await list(program.session, "?unread=true&pageSize=3")
    expect(idsOf(left.body.data)).toEqual([all[0]!, all[2]!, all[3]!])
    expect(left.body.meta.pagination.total).toBe(4)
    expect(idsOf(await shownTo(program.session, "?unread=false"))).toEqual(all)
  })

  test("is complete when one message cannot hold it", async () => {
    const program = await newProgram()
    const token = program.api_token
    const transaction_id = `${Date.now()}`.padEnd(255, "\u0001") // six bytes each, in JSON
    const refund_reason = "\u0001".repeat(1_024)
    const click_id = await newClick(program)
    const sale = { transaction_id, amount_cents: 4_999, click_id }
    const { body } = await send("POST", "/api/v1/track/sale", { token, body: sale })
    await settle(program, body.commission_id, "approve")
    await settle(program, body.commission_id, "mark-paid")
    for (let i = 0; i < 101; i++) {
      const part = { refund_amount_cents: 10, refund_id: `${i}`, refund_reason }
      await refund(program, { transaction_id, ...part })
    }
    const listed = await list(program.session, "?pageSize=100")
    expect(JSON.stringify(listed.body).length).toBeGreaterThan(900 * 1_024)
    expect(new Set(idsOf(listed.body.data)).size).toBe(100)
    expect(listed.body.meta.pagination.total).toBe(101)
  })

  refusesBadCredentials("GET", () => NOTIFICATIONS)

  test.each([
    [200, "owner", "active"],
    [200, "admin", "active"],
    [200, "analyst", "active"],
    [200, "billing", "active"],
    [403, "owner", "suspended"],
  ])("%i: %s, %s", async (status, role, memberStatus) => {
    const session = await newMember(program, role, memberStatus)
    expect((await list(session, "", program.workspace_id)).status).toBe(status)
  })

  test.each<[number, string, () => Promise<string>, string, (() => Workspace)?]>([
    [401, "a tracking token", async () => program.api_token, ""],
    [404, "another workspace", async () => foreign.session, "", () => program.workspace_id],
    [404, "an invalid workspace id", async () => program.session, "", () => "0"],
    [403, "a member of no workspace", newPartnerSession, "?page=0"],
    [403, "a key without the scope", async () => keyOf({ scopes: ["program:list"] }), ""],
    [400, "an invalid page", async () => program.session, "?page=0"],
    [400, "too large a page size", async () => program.session, "?pageSize=101"],
    [400, "an invalid unread", async () => program.session, "?unread=1"],
  ])("%i: %s", async (status, _why, token, query, workspace) => {
    const reply = await list(await token(), query, workspace?.())
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("shows a key only notifications of its programs", async () => {
    const limited = await keyOf({ scopes: ["program:read"], program_scope: [sibling.program_id] })
    expect(await shownTo(limited)).toMatchObject([{ program_id: sibling.program_id }])
    expect((await list(limited)).body.meta.pagination.total).toBe(1)
    expect(await shownTo(await keyOf({ program_scope: [] }))).toEqual([])
    expect(await shownTo(await keyOf())).toHaveLength(2)
  })
})

describe("POST /api/advertiser/notifications/:id/read", () => {
  test("marks it for all members, and keeps the first time", async () => {
    const program = await newProgram()
    await newRefundOfPaidSale(program)
    const billing = await newMember(program, "billing")
    const [notification] = await shownTo(program.session)
    const [first, second] = [
      await read(billing, notification!.id), // found in any of the caller's workspaces
      await read(program.session, notification!.id, {}),
    ]
    expect(first).toMatchObject({
      status: 200,
      body: { data: { ...notification, read_at: expect.any(String) } },
    })
    expect(second.body).toEqual(first.body)
    expect(await shownTo(program.session)).toEqual([first.body.data])
    expect(await shownTo(program.session, unread)).toEqual([])
  })

  test("leaves the partner's notification unread", async () => {
    const { partner_id } = await newRefundOfPaidSale(program)
    const [notification] = await shownTo(program.session)
    await read(program.session, notification!.id)
    await readAll(program.session)
    const times = await sql`
      select read_at
      from commissions.notifications
      where partner_id = ${partner_id}
    `
    expect(times.map(({ read_at }) => read_at)).toEqual([null, null])
  })

  refusesBadCredentials("POST", () => `${NOTIFICATIONS}/${newest}/read`)

  test.each<[number, string, () => Promise<string>]>([
    [404, "another workspace's owner", async () => foreign.session],
    [404, "a suspended owner", async () => newMember(program, "owner", "suspended")],
    [404, "a partner", newPartnerSession],
    [403, "an analyst", async () => newMember(program, "analyst")],
    [403, "a key that may only read", async () => keyOf({ scopes: ["program:read"] })],
    [403, "a key of another program", async () => keyOf({ program_scope: [program.program_id] })],
    [400, "a broken body", async () => program.session],
    [400, "a broken body, by a key", async () => keyOf({ scopes: ["program:update"] })],
  ])("%i: %s", async (status, _why, token) => {
    const reply = await read(await token(), newest, "{")
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each(["abc", "0", "1e3", "9007199254740991"])("404: the id is %s", async id => {
    expect((await read(program.session, id, "{")).status).toBe(404)
  })

  test("404: another workspace's or a partner's looks like one that does not exist", async () => {
    const { body } = await read(program.session, 9_007_199_254_740_991)
    const [foreignNotification] = await shownTo(foreign.session)
    expect((await read(program.session, foreignNotification!.id)).body).toEqual(body)
    expect((await list(foreign.session)).body.data[0].read_at).toBeNull()
    const [partnerNotification] = await sql`
      select max(id) as id
      from commissions.notifications
      where program_id = ${program.program_id}
        and recipient = 'partner'
    `
    expect(await read(program.session, partnerNotification!.id)).toMatchObject({
      status: 404,
      body,
    })
  })
})

describe("POST /api/advertiser/notifications/read", () => {
  async function newWarnedProgram(partsCents = [100, 100, 100]) {
    const program = await newProgram()
    await newRefundOfPaidSale(program, partsCents)
    return { ...program, ids: idsOf(await shownTo(program.session)) }
  }

  test("marks those up to through_id, or all", async () => {
    const { session, ids } = await newWarnedProgram()
    const some = await readAll(session, { through_id: ids[1] })
    expect(some).toMatchObject({ status: 200, body: { data: {} } })
    expect(idsOf(await shownTo(session, unread))).toEqual([ids[0]!])
    const before = await shownTo(session)
    expect((await readAll(session)).status).toBe(200)
    expect(await shownTo(session, unread)).toEqual([])
    expect((await shownTo(session)).slice(1)).toEqual(before.slice(1)) // keeps the first time
    expect((await readAll(session, {})).status).toBe(200)
  })

  test("succeeds when calls race", async () => {
    const { session, ids } = await newWarnedProgram(Array(12).fill(10))
    const racing = Array.from({ length: 12 }, (_, i) =>
      i % 3 ? readAll(session) : read(session, ids[i]!),
    )
    expect((await Promise.all(racing)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(await shownTo(session, unread)).toEqual([])
  })

  test("marks only those of one workspace, or of a key's programs", async () => {
    const [one, other] = [await newWarnedProgram(), await newWarnedProgram()]
    const second = await newProgramOf(one)
    await newRefundOfPaidSale(second)
    const { key } = await newKey(one, { program_scope: [second.program_id] })
    await readAll(key)
    expect(idsOf(await shownTo(one.session, unread))).toEqual(one.ids)
    await readAll(one.session)
    expect(await shownTo(other.session, unread)).toHaveLength(3)

    const billing = await newMember(other, "billing")
    await readAll(billing) // in the member's own workspace
    expect(await shownTo(other.session, unread)).toHaveLength(3)
    await readAll(billing, {}, other.workspace_id)
    expect(await shownTo(other.session, unread)).toEqual([])
  })

  refusesBadCredentials("POST", () => READ)

  test.each<[number, string, () => Promise<string>, unknown]>([
    [404, "another workspace", async () => (await newOwner()).session, "{"],
    [403, "an analyst", async () => newMember(program, "analyst"), "{"],
    [403, "a suspended owner", async () => newMember(program, "owner", "suspended"), "{"],
    [403, "a key that may only read", async () => keyOf({ scopes: ["program:read"] }), "{"],
    [400, "invalid JSON", async () => program.session, "{"],
    [400, "an array", async () => program.session, "[]"],
    [400, "a through_id that is text", async () => program.session, { through_id: "1" }],
    [400, "a through_id of zero", async () => program.session, { through_id: 0 }],
    [400, "a through_id that is null", async () => program.session, { through_id: null }],
  ])("%i: %s", async (status, _why, token, body) => {
    const { commission_id } = await newRefundOfPaidSale(program)
    const reply = await readAll(await token(), body, program.workspace_id)
    expect(reply).toMatchObject({ status, body: { error: expect.any(String) } })
    expect((await shownTo(program.session, unread))[0]).toMatchObject({ commission_id })
  })
})

/** Creates a partner who is a member of no workspace. Returns the session. */
const newPartnerSession = async () =>
  newPartnerAccount({ ...program, ...(await newPartner(program)) })
const keyOf = async (fields: object = {}) => (await newKey(program, fields)).key

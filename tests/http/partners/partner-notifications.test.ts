import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, sell, settle } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newOwner, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const NOTIFICATIONS = "/api/partner/notifications"
const READ = `${NOTIFICATIONS}/read`
const JSON_TYPE = { "content-type": "application/json" } // also of bodies that are not JSON

const list = (token: string, query = "") => send("GET", `${NOTIFICATIONS}${query}`, { token })
const read = (token: string, id: number | string, body?: unknown) =>
  send("POST", `${NOTIFICATIONS}/${id}/read`, { token, body, headers: JSON_TYPE })
const readAll = (token: string, body?: unknown) =>
  send("POST", READ, { token, body, headers: JSON_TYPE })

type Notification = { id: number; kind: string; program_id: number; read_at: string | null }
const notificationsOf = async (token: string, query = ""): Promise<Notification[]> =>
  (await list(token, query)).body.data
const idsOf = (list: Notification[]) => list.map(({ id }) => id)

/** Rejects a new commission. Returns its sale and the session of its partner. */
async function newRejected(program: TestProgram, email = newEmail()) {
  const sale = await newSale(program)
  await settle(program, sale.commission_id, "reject", { reason: "Self-referral" })
  const session = await newPartnerAccount({ ...program, partner_id: sale.partner_id }, email)
  return { ...sale, session }
}

let program: TestProgram
let partner: Awaited<ReturnType<typeof newRejected>>
let other: Awaited<ReturnType<typeof newRejected>>
let own: number
let foreign: number
beforeAll(async () => {
  program = await newProgram()
  partner = await newRejected(program)
  other = await newRejected(program)
  own = (await notificationsOf(partner.session))[0]!.id
  foreign = (await notificationsOf(other.session))[0]!.id
})

describe("GET /api/partner/notifications", () => {
  test("reports a rejection with its reason, also from before the account existed", async () => {
    const { commission_id, sale_id, session } = partner
    const { status, body } = await list(session)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            id: expect.any(Number),
            kind: "commission_rejected",
            program_id: program.program_id,
            commission_id,
            sale_id,
            transaction_id: null,
            message:
              `Your commission of 15.00 USD for sale ${sale_id} was rejected. ` +
              "Reason: Self-referral",
            read_at: null,
            created_at: expect.any(String),
          },
        ],
        meta: { pagination: { page: 1, pageSize: 10, pageCount: 1, total: 1 } },
      },
    })
  })

  test("reports payments and refunds, but no warnings to the advertiser", async () => {
    const { partner_id, code } = await newPartner(program)
    const session = await newPartnerAccount({ ...program, partner_id })
    const { commission_id, transaction_id } = await sell(program, code)
    await settle(program, commission_id, "approve")
    await settle(program, commission_id, "mark-paid")
    const body = { transaction_id, refund_amount_cents: 100, refund_reason: "It broke" }
    await refund(program, body)
    expect(await notificationsOf(session)).toMatchObject([
      { kind: "commission_refunded", message: expect.stringMatching(/0\.30 USD.*It broke$/) },
      { kind: "commission_paid", message: expect.stringMatching(/15\.00 USD.*was paid\.$/) },
    ])
  })

  test("pages through a person's notifications of all programs, newest first", async () => {
    const email = newEmail()
    const programs = [program, await newProgram(), await newProgram()]
    const joined = []
    for (const of of programs) joined.push({ of, ...(await newRejected(of, email)) })
    for (let i = 0; i < 6; i++) {
      const { of, code } = joined[i % 3]!
      const { commission_id } = await sell(of, code)
      await settle(of, commission_id, "reject")
    }
    const { session } = joined[0]!
    const { data, meta } = (await list(session, "?pageSize=100")).body
    expect(meta.pagination.total).toBe(9)
    expect(new Set(data.map(({ program_id }: Notification) => program_id)).size).toBe(3)
    const all = idsOf(data)
    expect(all).toEqual(all.toSorted((one, other) => other - one))

    const pages = await Promise.all(
      [1, 2, 3].map(page => notificationsOf(session, `?pageSize=4&page=${page}`)),
    )
    expect(idsOf(pages.flat())).toEqual(all)
    await read(session, all[4]!)
    const left = await list(session, "?unread=true&pageSize=4&page=2")
    expect(idsOf(left.body.data)).toEqual(all.slice(5))
    expect(left.body.meta.pagination.total).toBe(8)
  })

  test("names sales by their id, whatever the advertiser calls them", async () => {
    const { partner_id, code } = await newPartner(program)
    const session = await newPartnerAccount({ ...program, partner_id })
    const { commission_id, sale_id } = await sell(program, code, {
      transaction_id: `USD${partner_id}`,
    })
    await settle(program, commission_id, "reject", { reason: `Sale USD${partner_id} was ours.` })
    const [notification] = await notificationsOf(session)
    expect(notification).toMatchObject({
      transaction_id: null,
      message:
        `Your commission of 15.00 USD for sale ${sale_id} was rejected. ` +
        `Reason: Sale USD${partner_id} was ours.`,
    })
  })

  test("still shows notifications to a partner that the program removed", async () => {
    const { partner_id, session } = await newRejected(program)
    const path = `${program.path}/partners/${partner_id}`
    await send("PUT", path, { token: program.session, body: { status: "removed" } })
    expect(await notificationsOf(session)).toHaveLength(1)
  })

  test("shows nothing of other partners, of the customer or of the advertiser", async () => {
    const text = JSON.stringify((await list(partner.session)).body)
    expect(text).not.toContain(other.transaction_id)
    expect(text).not.toContain(partner.transaction_id)
    expect(text).not.toMatch(/@|clk_|customer|workspace|partner_id|account/)
  })

  refusesBadCredentials("GET", () => NOTIFICATIONS)

  test.each<[number, string, () => Promise<string>, string]>([
    [401, "a key", async () => (await newKey(program)).key, ""],
    [403, "an owner, who is not a partner", async () => program.session, ""],
    [403, "another workspace's owner", async () => (await newOwner()).session, "?page=0"],
    [400, "page 0", async () => partner.session, "?page=0"],
    [400, "pageSize 101", async () => partner.session, "?pageSize=101"],
    [400, "an invalid unread", async () => partner.session, "?unread=yes"],
  ])("%i: %s", async (status, _why, token, query) => {
    const answer = await list(await token(), query)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("shows an empty page past the end", async () => {
    const { data, meta } = (await list(partner.session, "?page=9007199254740991&pageSize=100")).body
    expect({ data, total: meta.pagination.total }).toEqual({ data: [], total: 1 })
  })
})

describe("POST /api/partner/notifications/:id/read", () => {
  test("keeps the time of the first call, however often it is repeated", async () => {
    const { session } = await newRejected(program)
    const [notification] = await notificationsOf(session)
    const answers = await Promise.all([1, 2, 3, 4].map(() => read(session, notification!.id)))
    const again = await read(session, notification!.id, { read_at: null })
    expect(again).toMatchObject({
      status: 200,
      body: { data: { ...notification, read_at: expect.any(String) } },
    })
    for (const answer of answers) expect(answer.body).toEqual(again.body)
    expect(await notificationsOf(session)).toEqual([again.body.data])
    expect(await notificationsOf(session, "?unread=true")).toEqual([])
  })

  refusesBadCredentials("POST", () => `${NOTIFICATIONS}/${own}/read`)

  test.each<[number, string, () => Promise<string>, () => number | string]>([
    [401, "a key", async () => (await newKey(program)).key, () => own],
    [403, "an account that is not a partner", async () => program.session, () => own],
    [404, "another partner's notification", async () => partner.session, () => foreign],
    [404, "an unknown id", async () => partner.session, () => "9007199254740991"],
    [404, "an invalid id", async () => partner.session, () => "abc"],
    [400, "a broken body", async () => partner.session, () => own],
  ])("%i: %s", async (status, _why, token, id) => {
    const answer = await read(await token(), id(), "{")
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    const times = await sql`
      select read_at
      from commissions.notifications
      where id in (${own}, ${foreign})
    `
    expect(times.map(({ read_at }) => read_at)).toEqual([null, null])
  })

  test("another partner's notification looks like an unknown one", async () => {
    const unknown = await read(partner.session, "9007199254740991")
    expect((await read(partner.session, foreign)).body).toEqual(unknown.body)
  })
})

describe("POST /api/partner/notifications/read", () => {
  test("marks the partner's own up to through_id, or all of them", async () => {
    const { session, code } = await newRejected(program)
    for (let i = 0; i < 2; i++) {
      const { commission_id } = await sell(program, code)
      await settle(program, commission_id, "reject")
    }
    const ids = idsOf(await notificationsOf(session))
    const some = await readAll(session, { through_id: ids[1] })
    expect(some).toMatchObject({ status: 200, body: { data: {} } })
    expect(idsOf(await notificationsOf(session, "?unread=true"))).toEqual([ids[0]!])
    const all = await Promise.all([1, 2, 3].map(() => readAll(session)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await notificationsOf(session, "?unread=true")).toEqual([])
    expect(await notificationsOf(other.session, "?unread=true")).toHaveLength(1)
  })

  refusesBadCredentials("POST", () => READ)

  test.each<[number, string, () => Promise<string>, unknown]>([
    [401, "a key", async () => (await newKey(program)).key, "{"],
    [403, "an account that is not a partner", async () => program.session, "{"],
    [400, "not JSON", async () => partner.session, "{"],
    [400, "an invalid through_id", async () => partner.session, { through_id: -1 }],
  ])("%i: %s", async (status, _why, token, body) => {
    const answer = await readAll(await token(), body)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(await notificationsOf(partner.session, "?unread=true")).toHaveLength(1)
  })
})

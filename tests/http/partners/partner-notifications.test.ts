import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, sell, settle } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newOwner, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const NOTICES = "/api/partner/notifications"
const READ = `${NOTICES}/read`
const JSON_TYPE = { "content-type": "application/json" } // of what is no JSON, too

const list = (token: string, query = "") => send("GET", `${NOTICES}${query}`, { token })
const read = (token: string, id: number | string, body?: unknown) =>
  send("POST", `${NOTICES}/${id}/read`, { token, body, headers: JSON_TYPE })
const readAll = (token: string, body?: unknown) =>
  send("POST", READ, { token, body, headers: JSON_TYPE })

type Shown = { id: number; kind: string; program_id: number; read_at: string | null }
const shownTo = async (token: string, query = ""): Promise<Shown[]> =>
  (await list(token, query)).body.data
const idsOf = (notices: Shown[]) => notices.map(({ id }) => id)

/** A commission that was rejected, and the session of its partner. */
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
let strange: number
beforeAll(async () => {
  program = await newProgram()
  partner = await newRejected(program)
  other = await newRejected(program)
  own = (await shownTo(partner.session))[0]!.id
  strange = (await shownTo(other.session))[0]!.id
})

describe("GET /api/partner/notifications", () => {
  test("tells of a rejection, with its reason, also from before there was an account", async () => {
    const { commission_id, transaction_id, session } = partner
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
            transaction_id,
            message:
              `Your commission of 15.00 USD for sale ${transaction_id} was rejected. ` +
              "Reason: Self-referral",
            read_at: null,
            created_at: expect.any(String),
          },
        ],
        meta: { pagination: { page: 1, pageSize: 10, pageCount: 1, total: 1 } },
      },
    })
  })

  test("tells of payments and refunds, and not of what the advertiser is warned of", async () => {
    const { partner_id, code } = await newPartner(program)
    const session = await newPartnerAccount({ ...program, partner_id })
    const { commission_id, transaction_id } = await sell(program, code)
    await settle(program, commission_id, "approve")
    await settle(program, commission_id, "mark-paid")
    const asked = { transaction_id, refund_amount_cents: 100, refund_reason: "It broke" }
    await refund(program, asked)
    expect(await shownTo(session)).toMatchObject([
      { kind: "commission_refunded", message: expect.stringMatching(/0\.30 USD.*It broke$/) },
      { kind: "commission_paid", message: expect.stringMatching(/15\.00 USD.*was paid\.$/) },
    ])
  })

  test("shows one person the notices of all programs, newest first, page by page", async () => {
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
    expect(new Set(data.map(({ program_id }: Shown) => program_id)).size).toBe(3)
    const all = idsOf(data)
    expect(all).toEqual(all.toSorted((one, other) => other - one))

    const pages = await Promise.all(
      [1, 2, 3].map(page => shownTo(session, `?pageSize=4&page=${page}`)),
    )
    expect(idsOf(pages.flat())).toEqual(all)
    await read(session, all[4]!)
    const left = await list(session, "?unread=true&pageSize=4&page=2")
    expect(idsOf(left.body.data)).toEqual(all.slice(5))
    expect(left.body.meta.pagination.total).toBe(8)
  })

  test("goes on where the program has removed the partner", async () => {
    const { partner_id, session } = await newRejected(program)
    const path = `${program.path}/partners/${partner_id}`
    await send("PUT", path, { token: program.session, body: { status: "removed" } })
    expect(await shownTo(session)).toHaveLength(1)
  })

  test("shows nothing of other partners, of the customer or of the advertiser", async () => {
    const text = JSON.stringify((await list(partner.session)).body)
    expect(text).not.toContain(other.transaction_id)
    expect(text).not.toMatch(/@|clk_|customer|workspace|partner_id|account/)
  })

  refusesBadCredentials("GET", () => NOTICES)

  test.each<[number, string, () => Promise<string>, string]>([
    [401, "a key", async () => (await newKey(program)).key, ""],
    [403, "an owner, who is no partner", async () => program.session, ""],
    [403, "somebody who is neither", async () => (await newOwner()).session, "?page=0"],
    [400, "a page that is none", async () => partner.session, "?page=0"],
    [400, "too large a page", async () => partner.session, "?pageSize=101"],
    [400, "an odd unread", async () => partner.session, "?unread=yes"],
  ])("%i: %s", async (status, _why, token, query) => {
    const answer = await list(await token(), query)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("has no end of pages that are empty", async () => {
    const { data, meta } = (await list(partner.session, "?page=9007199254740991&pageSize=100")).body
    expect({ data, total: meta.pagination.total }).toEqual({ data: [], total: 1 })
  })
})

describe("POST /api/partner/notifications/:id/read", () => {
  test("keeps the first time, however often it is said", async () => {
    const { session } = await newRejected(program)
    const [notice] = await shownTo(session)
    const answers = await Promise.all([1, 2, 3, 4].map(() => read(session, notice!.id)))
    const again = await read(session, notice!.id, { read_at: null })
    expect(again).toMatchObject({
      status: 200,
      body: { data: { ...notice, read_at: expect.any(String) } },
    })
    for (const answer of answers) expect(answer.body).toEqual(again.body)
    expect(await shownTo(session)).toEqual([again.body.data])
    expect(await shownTo(session, "?unread=true")).toEqual([])
  })

  refusesBadCredentials("POST", () => `${NOTICES}/${own}/read`)

  test.each<[number, string, () => Promise<string>, () => number | string]>([
    [401, "a key", async () => (await newKey(program)).key, () => own],
    [403, "somebody who is no partner", async () => program.session, () => own],
    [404, "another partner's", async () => partner.session, () => strange],
    [404, "unknown", async () => partner.session, () => "9007199254740991"],
    [404, "no id", async () => partner.session, () => "abc"],
    [400, "a broken body", async () => partner.session, () => own],
  ])("%i: %s", async (status, _why, token, id) => {
    const answer = await read(await token(), id(), "{")
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    const times = await sql`
      select read_at
      from commissions.notifications
      where id in (${own}, ${strange})
    `
    expect(times.map(({ read_at }) => read_at)).toEqual([null, null])
  })

  test("nothing tells that another's notice exists", async () => {
    const unknown = await read(partner.session, "9007199254740991")
    expect((await read(partner.session, strange)).body).toEqual(unknown.body)
  })
})

describe("POST /api/partner/notifications/read", () => {
  test("marks those up to the newest that was seen, or all, and nobody else's", async () => {
    const { session, code } = await newRejected(program)
    for (let i = 0; i < 2; i++) {
      const { commission_id } = await sell(program, code)
      await settle(program, commission_id, "reject")
    }
    const ids = idsOf(await shownTo(session))
    const some = await readAll(session, { through_id: ids[1] })
    expect(some).toMatchObject({ status: 200, body: { data: {} } })
    expect(idsOf(await shownTo(session, "?unread=true"))).toEqual([ids[0]!])
    const all = await Promise.all([1, 2, 3].map(() => readAll(session)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await shownTo(session, "?unread=true")).toEqual([])
    expect(await shownTo(other.session, "?unread=true")).toHaveLength(1)
  })

  refusesBadCredentials("POST", () => READ)

  test.each<[number, string, () => Promise<string>, unknown]>([
    [401, "a key", async () => (await newKey(program)).key, "{"],
    [403, "somebody who is no partner", async () => program.session, "{"],
    [400, "no JSON", async () => partner.session, "{"],
    [400, "a through_id that is none", async () => partner.session, { through_id: -1 }],
  ])("%i: %s", async (status, _why, token, body) => {
    const answer = await readAll(await token(), body)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(await shownTo(partner.session, "?unread=true")).toHaveLength(1)
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMemberOnly } from "../../support/member"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newOwner, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

const PROGRAMS = "/api/partner/programs"
const show = (token: string, id: number | string, query = "") =>
  send("GET", `${PROGRAMS}/${id}${query}`, { token })

let program: TestProgram
let account: string
beforeAll(async () => {
  const commission = { kind: "percent", rate_bps: 2_000, hold_days: 30 }
  program = await newProgram({ commission, cookie_window_days: 45, currency: "EUR" })
  account = await newPartnerAccount(program)
})

describe("GET /api/partner/programs/:programId", () => {
  test("shows the terms that the partner earns by", async () => {
    const { status, body } = await show(account, program.program_id)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: program.program_id,
          name: expect.any(String),
          slug: expect.any(String),
          website_url: "https://shop.example",
          status: "approved",
          program_status: "active",
          partner_id: program.partner_id,
          policy: {
            version: 1,
            effective_from: expect.any(String),
            kind: "percent",
            rate_bps: 2_000,
            duration_months: null,
            hold_days: 30,
            auto_approve: true,
            products: [],
          },
          cookie_window_days: 45,
          currency: "EUR",
          joined_at: expect.any(String),
          next_payout: null,
          terms: null,
          branding: { color: null, welcome: null, logo: null },
        },
      },
    })
  })

  test("shows the policy in force, not one that is scheduled", async () => {
    const other = await newProgram()
    const token = await newPartnerAccount(other)
    const put = (commission: object) =>
      send("PUT", other.path, { token: other.session, body: { commission } })
    await put({ kind: "percent", rate_bps: 1_000, effective_from: "2090-01-01" })
    const before = await show(token, other.program_id)
    await put({ kind: "percent", rate_bps: 4_000 })
    const after = await show(token, other.program_id)
    const rateOf = ({ body }: typeof before) => body.data.policy.rate_bps
    expect([rateOf(before), rateOf(after)]).toEqual([3_000, 4_000])
  })

  test("stays readable for a partner that the program has removed", async () => {
    const { partner_id } = await newPartner(program)
    const token = await newPartnerAccount({ ...program, partner_id })
    const path = `${program.path}/partners/${partner_id}`
    await send("PUT", path, { token: program.session, body: { status: "removed" } })
    expect((await show(token, program.program_id)).body.data.status).toBe("removed")
  })

  refusesBadCredentials("GET", () => `${PROGRAMS}/${program.program_id}`)

  test.each<[number, string, () => Promise<string>, () => number | string]>([
    [401, "a key", async () => (await newKey(program)).key, () => program.program_id],
    [403, "an owner who is no partner", async () => program.session, () => program.program_id],
    [404, "a program not joined", async () => account, () => program.program_id + 1_000_000],
    [404, "an invalid id", async () => account, () => "abc"],
  ])("%i: %s", async (status, _why, token, id) => {
    expect(await show(await token(), id())).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
  })
})

describe("GET /api/partner/programs", () => {
  test("lists the programs of a person by id, page by page", async () => {
    const email = newEmail()
    const joined = [program, await newProgram(), await newProgram()]
    let token = ""
    for (const each of joined) {
      const { partner_id } = await newPartner(each)
      token = await newPartnerAccount({ ...each, partner_id }, email)
    }
    const all = await send("GET", PROGRAMS, { token })
    expect(all.body.data.map(({ id }: { id: number }) => id)).toEqual(
      joined.map(({ program_id }) => program_id),
    )
    const second = await send("GET", `${PROGRAMS}?page=2&pageSize=2`, { token })
    expect(second.body).toEqual({
      data: [all.body.data[2]],
      meta: { pagination: { page: 2, pageSize: 2, pageCount: 2, total: 3 } },
    })
    const { terms, branding, ...listed } = (await show(token, program.program_id)).body.data
    expect(all.body.data[0]).toEqual(listed)
  })
})

describe("POST /api/partner/programs/:programId/terms", () => {
  let shop: TestProgram
  let token: string
  beforeAll(async () => {
    shop = await newProgram()
    token = await newPartnerAccount(shop)
  })
  const accept = (version: unknown, query = "", as = token) =>
    send("POST", `${PROGRAMS}/${shop.program_id}/terms${query}`, { token: as, body: { version } })
  const put = (text: string) =>
    send("PUT", `${shop.path}/terms`, { token: shop.session, body: { text } })
  const termsOf = async () => (await show(token, shop.program_id)).body.data.terms

  test("accepts the version in force, once, without telling the program who the person is", async () => {
    expect((await accept(1)).status).toBe(409) // there are none
    await put("No spam.")
    expect(await termsOf()).toMatchObject({ version: 1, accepted_version: null, accepted_at: null })
    const entries = await entriesWrittenBy(shop, async () => {
      const answers = await Promise.all([1, 2, 3].map(() => accept(1)))
      for (const { status, body } of answers) {
        expect([status, body.data]).toEqual([200, answers[0]!.body.data])
      }
    })
    expect(entries).toMatchObject([
      {
        action: "partner.accept_terms",
        actor: { kind: "none", id: null },
        subject: { type: "partner", id: shop.partner_id },
        details: { version: 1 },
      },
    ])
    expect(await termsOf()).toMatchObject({ text: "No spam.", accepted_version: 1 })
  })

  test("refuses a version that is no longer in force", async () => {
    await put("No spam, no coupons.")
    expect((await accept(1)).status).toBe(409)
    expect(await termsOf()).toMatchObject({ version: 2, accepted_version: 1 })
    expect(await accept(2)).toMatchObject({ status: 200, body: { data: { accepted_version: 2 } } })
  })

  test.each([[0], ["2"], [null], [2.5]])("400: version %p", async version => {
    expect((await accept(version)).status).toBe(400)
  })

  test("is 403 for a member who looks on", async () => {
    expect((await accept(2, `?as_partner=${shop.partner_id}`, shop.session)).status).toBe(403)
  })

  refusesBadCredentials("POST", () => `${PROGRAMS}/${program.program_id}/terms`)
})

describe("?as_partner", () => {
  const as = (partner_id: unknown) => `?as_partner=${partner_id}`

  test("shows a member what the partner sees, and stands in the audit log once an hour", async () => {
    const analyst = await newMemberOnly(program, "analyst")
    const own = await show(account, program.program_id)
    const entries = await entriesWrittenBy(program, async () => {
      const seen = [1, 2, 3].map(() => show(analyst, program.program_id, as(program.partner_id)))
      for (const { status, body } of await Promise.all(seen)) {
        expect([status, body]).toEqual([200, own.body])
      }
    })
    expect(entries).toMatchObject([
      {
        action: "partner.view_as",
        actor: { kind: "user" },
        subject: { type: "partner", id: program.partner_id },
        program_id: program.program_id,
      },
    ])
  })

  test.each<[number, string, () => Promise<string>, () => [number | string, unknown]]>([
    [401, "a key", async () => (await newKey(program)).key, () => own()],
    [404, "another workspace's owner", async () => (await newOwner()).session, () => own()],
    [404, "the partner itself, who is no member", async () => account, () => own()],
    [404, "an unknown program", async () => program.session, () => ["9007199254740991", 1]],
    [
      404,
      "a partner of another program",
      async () => program.session,
      () => [program.program_id, program.partner_id + 1_000_000],
    ],
    [400, "no id", async () => program.session, () => [program.program_id, "abc"]],
  ])("%i: %s", async (status, _why, token, ids) => {
    const [id, partner_id] = ids()
    expect(await show(await token(), id, as(partner_id))).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
  })

  const own = (): [number, number] => [program.program_id, program.partner_id]
})

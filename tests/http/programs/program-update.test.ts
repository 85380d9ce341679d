import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { waitForBlockedSessions } from "../../support/locks"
import { newMember } from "../../support/member"
import {
  newClick,
  newOwner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
let count = 0
const unique = (what: string) => `${what}-${process.pid}-${Date.now()}-${++count}`

const put = (program: TestProgram, body: unknown, token = program.session) =>
  send("PUT", program.path, { token, body })
const show = async (program: TestProgram) =>
  (await send("GET", program.path, { token: program.session })).body.data
const click = async ({ code }: TestProgram) => {
  const body = { affiliate_url: `https://shop.example/?aff=${code}` }
  return (await send("POST", "/api/v1/track/click", { body })).body
}
const sell = async (program: TestProgram) => {
  const body = {
    transaction_id: unique("t"),
    amount_cents: 1_000,
    click_id: await newClick(program),
  }
  return send("POST", "/api/v1/track/sale", { token: program.api_token, body })
}

describe("PUT /api/advertiser/affiliate-programs/:id", () => {
  test("changes the fields that are present and no others", async () => {
    const program = await newProgram()
    const before = await show(program)
    const { status, body } = await put(program, { name: "New", id: 1, published_at: "now" })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, name: "New", updated_at: expect.any(String) })
    expect(body.data.updated_at > before.updated_at).toBe(true)
    expect(await show(program)).toEqual(body.data)
  })

  test("accepts every setting in one request", async () => {
    const program = await newProgram()
    const fields = {
      name: "All",
      website_url: "http://other.example",
      slug: unique("all"),
      status: "paused",
      cookie_window_days: 1,
      attribution_model: "first_click",
      lead_auth: "server",
      share_sale_amount: true,
    }
    const commission = { kind: "percent", rate_bps: 1_250 }
    const { body } = await put(program, { ...fields, currency: "eur", commission })
    expect(body.data).toMatchObject({ ...fields, currency: "EUR" })

    const groups = await send("GET", `${program.path}/groups`, { token: program.session })
    expect(groups.body.data).toMatchObject([{ policy: { version: 2, ...commission } }])
  })

  test("changes nothing when it names no known field", async () => {
    const program = await newProgram()
    const before = await show(program)
    expect((await put(program, { unknown: 1 })).body.data).toEqual(before)
    expect(await show(program)).toEqual(before)
  })

  test("null clears the website, the only field that may be null", async () => {
    const program = await newProgram()
    expect((await put(program, { website_url: null })).body.data.website_url).toBeNull()
  })

  test("takes effect with the next click", async () => {
    const program = await newProgram()
    await put(program, { cookie_window_days: 3 })
    expect(await click(program)).toMatchObject({ success: true, cookie_window_days: 3 })

    await put(program, { status: "paused" })
    expect(await click(program)).toMatchObject({ success: false })
    await put(program, { status: "active" })
    expect(await click(program)).toMatchObject({ success: true })
  })

  test("a sale between a currency change and its reply earns in the new currency", async () => {
    const commission = { kind: "fixed", amount_cents: 500 }
    const program = await newProgram({ currency: "USD", commission })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = sql.begin(async sql => {
      await sql`
        select 1
        from commissions.programs
        where program_id = ${program.program_id}
        for update
      `
      await released
    })
    await Bun.sleep(100)
    const changed = put(program, { currency: "EUR" })
    await waitForBlockedSessions(1, "commissions.programs") // only tracking has it
    const sold = await sell(program)
    release()
    await held

    expect(sold.status).toBe(200)
    expect((await changed).body.data.currency).toBe("EUR")
    const path = `${program.path}/sales/${sold.body.sale_id}`
    const { body } = await send("GET", path, { token: program.session })
    expect(body.data.commission).toMatchObject({ amount_cents: 500, currency: "EUR" })
  })

  test("frees the slug that it replaces", async () => {
    const [one, other] = [await newProgram(), await newProgram()]
    const slug = unique("moving")
    await put(one, { slug })
    expect((await put(other, { slug })).status).toBe(409)
    await put(one, { slug: unique("moved") })
    expect((await put(other, { slug })).status).toBe(200)
    expect((await put(other, { slug })).status).toBe(200) // its own slug
  })

  test("loses no field under concurrent requests", async () => {
    const program = await newProgram()
    const changes = [
      { name: "Concurrent" },
      { cookie_window_days: 9 },
      { lead_auth: "server" },
      { attribution_model: "first_click" },
      { website_url: "https://concurrent.example" },
      { currency: "CHF" },
    ]
    const answers = await Promise.all(changes.map(fields => put(program, fields)))
    expect(answers.map(answer => answer.status)).toEqual(changes.map(() => 200))
    expect(await show(program)).toMatchObject(Object.assign({}, ...changes))

    const [known] = await sql`
      select cookie_window_days, lead_auth, attribution_model, currency
      from tracking.programs
      where program_id = ${program.program_id}
    `
    expect({ ...known }).toEqual({
      cookie_window_days: 9,
      lead_auth: "server",
      attribution_model: "first_click",
      currency: "CHF",
    })
  })

  test("gives a slug to one of several programs that request it at once", async () => {
    const owner = await newOwner()
    const programs = await Promise.all(Array.from({ length: 3 }, () => newProgramOf(owner)))
    const slug = unique("wanted")
    const answers = await Promise.all(programs.map(program => put(program, { slug })))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409])
  })

  refusesBadCredentials("PUT", ({ path }) => path)
  refusesUnknownPrograms("PUT", id => `${PROGRAMS}/${id}`)

  describe("refusals:", () => {
    let program: TestProgram
    beforeAll(async () => {
      program = await newProgram()
    })

    test("404: the membership is suspended", async () => {
      const session = await newMember(program, "admin", "suspended")
      expect((await put(program, { name: 7 }, session)).status).toBe(404)
    })

    test.each(["analyst", "billing"] as const)("403: the member is %s", async role => {
      const session = await newMember(program, role)
      expect(await put(program, { name: 7 }, session)).toMatchObject({
        status: 403,
        body: { error: expect.any(String) },
      })
    })

    test.each(["", "[]", "null", "{"])("400: the body is %s", async body => {
      const headers = { "content-type": "application/json" }
      const answer = await send("PUT", program.path, { token: program.session, body, headers })
      expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    })

    test.each([
      ["the name is null", { name: null }],
      ["the name is blank", { name: " " }],
      ["the website is not a URL", { website_url: "shop" }],
      ["the slug is null", { slug: null }],
      ["the slug has capitals", { slug: "Shop" }],
      ["the status is archived", { status: "archived" }],
      ["the status is null", { status: null }],
      ["the currency is unknown", { currency: "ZZZ" }],
      ["the window is 0", { cookie_window_days: 0 }],
      ["the attribution is a number", { attribution_model: 1 }],
      ["lead_auth is null", { lead_auth: null }],
      ["share_sale_amount is null", { share_sale_amount: null }],
      ["the commission is null", { commission: null }],
      ["a percentage has no rate", { commission: { kind: "percent", amount_cents: 1 } }],
    ])("400: %s", async (_why, fields) => {
      const before = await show(program)
      const answer = await put(program, { name: "Not this", ...fields })
      expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
      expect(await show(program)).toEqual(before)
    })

    test("409: the slug is taken, and no other field is changed", async () => {
      const { slug } = await show(await newProgram())
      const before = await show(program)
      expect(await put(program, { slug, name: "Not this" })).toMatchObject({
        status: 409,
        body: { error: expect.any(String) },
      })
      expect(await show(program)).toEqual(before)
    })

    test("409: the currency is fixed by a sale, and no other field is changed", async () => {
      const sold = await newProgram()
      expect((await sell(sold)).status).toBe(200)
      const before = await show(sold)
      const slug = unique("not-this")
      const answer = await put(sold, { currency: "EUR", slug, cookie_window_days: 2 })
      expect(answer).toMatchObject({ status: 409, body: { error: expect.any(String) } })
      expect(await show(sold)).toEqual(before)
      expect((await click(sold)).cookie_window_days).toBe(60)

      expect((await put(program, { slug })).status).toBe(200) // the slug is still free
      expect((await put(sold, { currency: "usd", name: "Same" })).status).toBe(200)
    })

    test("409: the program is archived; a malformed body is still 400", async () => {
      const archived = await newProgram()
      await send("DELETE", archived.path, { token: archived.session })
      expect((await put(archived, { name: 7 })).status).toBe(400)
      expect(await put(archived, { name: "New" })).toMatchObject({
        status: 409,
        body: { error: expect.any(String) },
      })
      expect((await put(archived, {})).status).toBe(409)
    })
  })
})

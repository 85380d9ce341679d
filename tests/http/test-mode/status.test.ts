import { describe, expect, test } from "bun:test"
import { sell } from "../../support/books"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newClick, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const pathOf = (program_id: unknown) => `/api/tracking/status/${program_id}`
const status = ({ program_id, session }: TestProgram, token = session) =>
  send("GET", pathOf(program_id), { token })
const stepsOf = async (program: TestProgram) => (await status(program)).body.data.stepStatuses

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const none = { testEventCount: 0, hasTestEvents: false, latestTestEvent: null }

function sendTest({ api_token, program_id, code }: TestProgram, what: string) {
  const additional_data = { test_mode: true, program_id }
  const affiliate_url = `https://shop.example/?aff=${code}`
  const body = { affiliate_url, additional_data }
  return send("POST", `/api/v1/track/${what}`, { token: api_token, body })
}

describe("GET /api/tracking/status/:programId", () => {
  test("reports a program without events", async () => {
    const program = await newProgram()
    expect(await status(program)).toMatchObject({ status: 200 })
    expect((await status(program)).body).toEqual({
      data: {
        programId: program.program_id,
        stepStatuses: { pageview: "pending", referrals: "pending", payments: "pending" },
        statistics: { pageview: none, referrals: none, payments: none },
        hasPartners: true,
        hints: [],
        lastUpdated: expect.stringMatching(TIME),
      },
    })
  })

  test("completes a step with its first real event", async () => {
    const program = await newProgram()
    const click_id = await newClick(program)
    expect(await stepsOf(program)).toEqual({
      pageview: "complete",
      referrals: "pending",
      payments: "pending",
    })
    await send("POST", "/api/v1/track/lead", { body: { click_id } })
    expect(await stepsOf(program)).toMatchObject({ referrals: "complete", payments: "pending" })
    await sell(program, program.code)
    expect(await stepsOf(program)).toMatchObject({ payments: "complete" })
  })

  test("counts test events separately; they complete no step, as anyone may send them", async () => {
    const program = await newProgram()
    const ids: Record<string, number> = {}
    for (const what of ["click", "lead", "sale"]) {
      await sendTest(program, what)
      ids[what] = (await sendTest(program, what)).body.data.eventId
    }
    const { stepStatuses, statistics } = (await status(program)).body.data
    expect(Object.values(stepStatuses)).toEqual(["pending", "pending", "pending"])
    const of = (what: string) => ({
      testEventCount: 2,
      hasTestEvents: true,
      latestTestEvent: {
        id: ids[what],
        timestamp: expect.stringMatching(TIME),
        createdAt: expect.stringMatching(TIME),
      },
    })
    expect(statistics).toEqual({
      pageview: of("click"),
      referrals: of("lead"),
      payments: of("sale"),
    })
  })

  test("counts a sale once it is complete, and nothing of other programs", async () => {
    const program = await newProgram()
    const other = await newProgramOf(program)
    await sell(other, other.code)
    expect(Object.values(await stepsOf(program))).toEqual(["pending", "pending", "pending"])

    await sql`alter table commissions.commissions rename to away`
    const sale = { transaction_id: crypto.randomUUID(), amount_cents: 100 }
    const click_id = await newClick(program)
    const sold = await send("POST", "/api/v1/track/sale", {
      token: program.api_token,
      body: { ...sale, click_id },
    }).finally(() => sql`alter table commissions.away rename to commissions`)
    expect(sold.status).toBe(500)
    expect(await stepsOf(program)).toMatchObject({ pageview: "complete", payments: "pending" })
    while ((await stepsOf(program)).payments === "pending") await Bun.sleep(100)
  })

  test("hints at sales in another currency than the program's", async () => {
    const program = await newProgram({ currency: "USD" })
    const sellIn = async (currency: string, additional_data = {}) =>
      send("POST", "/api/v1/track/sale", {
        token: program.api_token,
        body: {
          transaction_id: crypto.randomUUID(),
          amount_cents: 100,
          currency,
          click_id: await newClick(program),
          additional_data,
        },
      })
    const hints = async () => (await status(program)).body.data.hints

    await sellIn("USD")
    await sellIn("CHF", { test_mode: true })
    expect(await hints()).toEqual([])
    for (const currency of ["JPY", "EUR", "EUR"]) await sellIn(currency)
    expect(await hints()).toEqual([
      { code: "other_currency", message: expect.stringMatching(/EUR, JPY.* currency is USD\./) },
    ])
  })

  test("hints at leads without a customer_key, until a customer has one or has bought", async () => {
    const program = await newProgram()
    const codes = async () =>
      (await status(program)).body.data.hints.map(({ code }: { code: string }) => code)
    const lead = (fields: object) => send("POST", "/api/v1/track/lead", { body: fields })

    const click_id = await newClick(program)
    expect(await codes()).toEqual([])
    await lead({ click_id })
    expect(await stepsOf(program)).toMatchObject({ referrals: "complete" })
    expect(await codes()).toEqual(["leads_without_key"])
    await lead({ click_id, customer_key: `key ${program.program_id}` })
    expect(await codes()).toEqual([])

    const other = await newProgram()
    const bought = await newClick(other)
    await lead({ click_id: bought })
    await send("POST", "/api/v1/track/sale", {
      token: other.api_token,
      body: { click_id: bought, transaction_id: crypto.randomUUID(), amount_cents: 100 },
    })
    expect((await status(other)).body.data.hints).toEqual([])
  })

  test("says whether the program has partners", async () => {
    const program = await newProgram()
    const created = await send("POST", "/api/advertiser/affiliate-programs", {
      token: program.session,
      body: { name: "Alone" },
    })
    const { body } = await send("GET", pathOf(created.body.data.id), { token: program.session })
    expect(body.data.hasPartners).toBe(false)
  })

  refusesBadCredentials("GET", ({ program_id }) => pathOf(program_id))

  test.each<[number, string, (program: TestProgram) => string | Promise<string>]>([
    [200, "an admin", program => newMember(program, "admin")],
    [200, "an analyst", program => newMember(program, "analyst")],
    [403, "a billing member", program => newMember(program, "billing")],
    [403, "a suspended owner", program => newMember(program, "owner", "suspended")],
    [403, "a stranger", async () => (await newProgram()).session],
    [401, "a key", async program => (await newKey(program)).key],
    [401, "a tracking token", program => program.api_token],
  ])("%i: %s", async (expected, _who, token) => {
    const program = await newProgram()
    expect((await status(program, await token(program))).status).toBe(expected)
  })

  test.each(["abc", "0", "-1", "9007199254740991"])("404: the program is %s", async id => {
    const { session } = await newProgram()
    expect((await send("GET", pathOf(id), { token: session })).status).toBe(404)
  })
})

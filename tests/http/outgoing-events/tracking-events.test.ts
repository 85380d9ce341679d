import { beforeAll, describe, expect, test } from "bun:test"
import { eventsWrittenBy, outgoingEvents } from "../../support/outgoing-events"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

let count = 0
const unique = (what: string) => `${what}-${process.pid}-${Date.now().toString(36)}-${++count}`
const own = (path: string) => send("GET", path, { token: program.session })
const track = (what: "lead" | "sale", body: object) =>
  send("POST", `/api/v1/track/${what}`, { token: program.api_token, body })
const writtenBy = (change: () => Promise<unknown>) =>
  eventsWrittenBy("tracking", program.program_id, change)

describe("tracking's outgoing events", () => {
  test("a lead is one, a repeat and a refused one are none", async () => {
    const lead = {
      click_id: await newClick(program),
      customer_key: unique("key"),
      email: `${unique("ada")}@lovelace.example`,
    }
    const events = await writtenBy(() => track("lead", lead))
    expect(events).toMatchObject([
      { type: "lead.created", partner_id: program.partner_id, previous: null },
    ])
    const [event] = events
    const { data } = (await own(`${program.path}/leads/${event!.data.id}`)).body
    expect(event!.data).toEqual(data)
    expect(await writtenBy(() => track("lead", { ...lead, click_id: "" }))).toEqual([])
  })

  test("a sale is one, and its repeats are none, also when they race", async () => {
    const sale = {
      transaction_id: unique("sale"),
      amount_cents: 4_999,
      click_id: await newClick(program),
    }
    const events = await writtenBy(() => Promise.all([1, 2, 3].map(() => track("sale", sale))))
    expect(events).toMatchObject([
      { type: "sale.recorded", partner_id: program.partner_id, previous: null },
    ])
    const [event] = events
    const { data } = (await own(`${program.path}/sales/${event!.data.id}`)).body
    const { commission, ...shown } = data // commissions' own, and has an event of its own
    expect(event!.data).toEqual({ ...shown, commission_id: commission.id })
    expect(await writtenBy(() => track("sale", sale))).toEqual([])
  })

  test("a refused sale is none", async () => {
    const sale = { transaction_id: unique("sale"), amount_cents: -1, click_id: unique("click") }
    expect(await writtenBy(() => track("sale", sale))).toEqual([])
  })

  test("an erasure clears what identifies the customer", async () => {
    const click_id = await newClick(program)
    const customer_key = unique("erased")
    const email = `${unique("ada")}@lovelace.example`
    const [transaction_id, subscription_id] = [unique("sale"), unique("subscription")]
    await track("lead", { click_id, customer_key, email, event_name: unique("event") })
    await track("sale", { transaction_id, amount_cents: 100, customer_key, subscription_id })
    const path = `${program.path}/customers/${customer_key}`
    expect((await send("DELETE", path, { token: program.session })).status).toBe(200)

    const [lead, sale] = (await outgoingEvents("tracking", program.program_id)).slice(-2)
    const cleared = { click_id: null, customer_key: null }
    expect(lead!.data).toMatchObject({
      ...cleared,
      email_masked: null,
      event_name: null,
      customer: { ...cleared, email_masked: null },
    })
    expect(sale!.data).toMatchObject({ ...cleared, subscription_id: null, transaction_id })
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { newClick, newPartner, type TestProgram } from "../../support/program"
import {
  commissionOf,
  deliver,
  invoice,
  newStripeProgram,
  outcomeOf,
  saleOf,
  sendEvent,
  session,
  stripeEvent,
  stripeId,
} from "../../support/stripe"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newStripeProgram()
})

const clicked = async () => ({ service_click_id: await newClick(program) })
const sell = (body: object) =>
  send("POST", "/api/v1/track/sale", { token: program.api_token, body })

describe("a checkout session", () => {
  test("is a sale, under the payment's id", async () => {
    const metadata = { ...(await clicked()), customer_key: "ada", product_id: "pro" }
    const paid = session({ metadata })
    const event = await sendEvent(program, "checkout.session.completed", paid)
    expect(await outcomeOf(event)).toMatchObject({ state: "applied", reason: null })
    expect(await saleOf(paid.payment_intent)).toMatchObject({
      program_id: program.program_id,
      click_id: metadata.service_click_id,
      customer_key: "ada",
      amount_cents: 4_999,
      currency: "USD",
      sale_type: "payment",
      is_recurring: false,
      product_id: "pro",
      subscription_id: null,
    })
    expect(await commissionOf(program, paid.payment_intent)).toMatchObject({ amount_cents: 1_500 })
  })

  test("is in the very next listing", async () => {
    const paid = session({ metadata: await clicked() })
    await sendEvent(program, "checkout.session.completed", paid)
    const events = `/api/tracking/events/${program.program_id}?eventType=conversion&pageSize=100`
    const { body } = await send("GET", events, { token: program.session })
    expect(JSON.stringify(body)).toContain(paid.payment_intent)
  })

  test("of a payment that takes its time is a sale when it is paid", async () => {
    const paid = session({ metadata: await clicked() })
    const unpaid = { ...paid, payment_status: "unpaid" }
    const event = await sendEvent(program, "checkout.session.completed", unpaid)
    expect(await outcomeOf(event)).toMatchObject({ state: "ignored", reason: "It is not paid." })
    await sendEvent(program, "checkout.session.async_payment_succeeded", paid)
    expect(await saleOf(paid.payment_intent)).toMatchObject({ amount_cents: 4_999 })
  })

  test.each(["click_id", "customer_key"])("names its customer by a reference: %s", async field => {
    const click_id = await newClick(program)
    const customer_key = stripeId("user")
    await send("POST", "/api/v1/track/lead", { body: { click_id, customer_key } })
    const client_reference_id = { click_id, customer_key }[field]
    const paid = session({ client_reference_id, metadata: null })
    await sendEvent(program, "checkout.session.completed", paid)
    expect(await saleOf(paid.payment_intent)).toMatchObject({ click_id })
  })

  test("that the advertiser recorded before stays one sale, and the other way round", async () => {
    const [first, second] = [session({ metadata: await clicked() }), session()]
    second.metadata = first.metadata
    await sendEvent(program, "checkout.session.completed", first)
    const click_id = await newClick(program)
    const sold = { amount_cents: 4_999, click_id }
    expect((await sell({ ...sold, transaction_id: first.payment_intent })).status).toBe(409)

    expect((await sell({ ...sold, transaction_id: second.payment_intent })).status).toBe(200)
    const event = await sendEvent(program, "checkout.session.completed", second)
    expect(await outcomeOf(event)).toMatchObject({
      state: "ignored",
      reason: "This transaction_id is already recorded.",
    })
    expect(await saleOf(second.payment_intent)).toMatchObject({ click_id })
  })

  test.each<[string, number, number | undefined]>([
    ["usd", 4_999, 4_999],
    ["jpy", 500, 500],
    ["kwd", 5_120, 5_120],
    ["isk", 500, 5], // two digits at Stripe, none in ISO 4217
    ["ugx", 500, 5],
    ["mga", 5, 500], // none at Stripe
    ["isk", 49, undefined], // rounds to nothing
    ["xyz", 500, undefined],
    ["usd", 0, undefined],
    ["usd", -1, undefined],
    ["usd", 0.5, undefined],
    ["usd", 2 ** 53, undefined],
  ])("in %s of %d is a sale of %p", async (currency, amount_total, amount_cents) => {
    const paid = session({ currency, amount_total, metadata: await clicked() })
    const event = await sendEvent(program, "checkout.session.completed", paid)
    const sale = await saleOf(paid.payment_intent)
    if (amount_cents) expect(sale).toMatchObject({ amount_cents, currency: currency.toUpperCase() })
    else expect(sale).toBeUndefined()
    expect(await outcomeOf(event)).toMatchObject({ state: amount_cents ? "applied" : "ignored" })
  })
})

describe("a subscription", () => {
  test("has a sale for each paid invoice, and none for its session", async () => {
    const metadata = await clicked()
    const subscription = stripeId("sub")
    const details = { metadata, subscription }
    const parent = { type: "subscription_details", subscription_details: details }
    const [first, second] = [
      invoice({ parent, billing_reason: "subscription_create" }),
      invoice({ parent, amount_paid: 2_000 }),
    ]
    const checkout = session({ metadata, mode: "subscription", payment_intent: null, subscription })
    await sendEvent(program, "checkout.session.completed", checkout)
    await sendEvent(program, "invoice.paid", first)

    const rival = await newPartner(program)
    const existing_click_id = metadata.service_click_id
    await newClick(rival, { existing_click_id }) // the renewal is owed to the first partner still
    await sendEvent(program, "invoice.paid", second)

    for (const { id, amount_paid } of [first, second]) {
      expect(await saleOf(id)).toMatchObject({
        amount_cents: amount_paid,
        partner_id: program.partner_id,
        sale_type: "subscription",
        is_recurring: true,
        subscription_id: subscription,
      })
    }
    expect(await commissionOf(program, second.id)).toMatchObject({ amount_cents: 600 })
    expect((await saleOf(second.id))?.first_sale_id).toBe((await saleOf(first.id))!.id)
  })

  const place = (fields: (metadata: object) => object): ((metadata: object) => object) => fields
  test.each<[string, (metadata: object) => object]>([
    [
      "an invoice of an older version",
      place(metadata => ({
        parent: undefined,
        subscription: "sub_old",
        subscription_details: { metadata },
      })),
    ],
    ["the invoice", place(metadata => ({ metadata }))],
    ["a line", place(metadata => ({ lines: { data: [{ metadata: {} }, { metadata }] } }))],
  ])("names its customer in the metadata of %s", async (_where, fields) => {
    const metadata = await clicked()
    const paid = invoice(fields(metadata))
    await sendEvent(program, "invoice.paid", paid)
    expect(await saleOf(paid.id)).toMatchObject({ click_id: metadata.service_click_id })
  })

  test.each<[string, object[], string | null]>([
    ["the only one", [{ pricing: { price_details: { product: "prod_1" } } }], "prod_1"],
    ["of an older version", [{ price: { product: { id: "prod_1" } } }], "prod_1"],
    ["one of two", [{ price: { product: "prod_1" } }, { price: { product: "prod_2" } }], null],
  ])("has the product of its lines: %s", async (_which, data, product_id) => {
    const paid = invoice({ lines: { data } }, await clicked())
    await sendEvent(program, "invoice.paid", paid)
    expect(await saleOf(paid.id)).toMatchObject({ product_id })
  })
})

describe("a sale whose customer is not known yet", () => {
  const later = (tries: number, event: { id: string }) => sql`
    update tracking.processor_events
    set tries = ${tries}, try_after = now()
    where event_id = ${event.id}
  `
  const becomes = async (state: string, event: { id: string }) => {
    while ((await outcomeOf(event))?.state !== state) await Bun.sleep(50)
  }
  async function signUp(customer_key: string) {
    const body = { click_id: await newClick(program), customer_key }
    return send("POST", "/api/v1/track/lead", { token: program.api_token, body })
  }

  test("waits for a while, and is one when its buyer has signed up", async () => {
    const customer_key = stripeId("buyer")
    const paid = session({ metadata: { customer_key } })
    const event = await sendEvent(program, "checkout.session.completed", paid)
    expect(await outcomeOf(event)).toMatchObject({ state: "waiting" })
    await signUp(customer_key)
    await later(1, event)
    await becomes("applied", event)
    expect(await saleOf(paid.payment_intent)).toMatchObject({ customer_key })
  })

  test("is ignored in the end, and taken up when it is sent again", async () => {
    const customer_key = stripeId("buyer")
    const paid = session({ metadata: { customer_key } })
    const event = stripeEvent("checkout.session.completed", paid)
    await deliver(program, event)
    await later(10, event)
    await becomes("ignored", event)
    await signUp(customer_key)
    expect((await deliver(program, event)).status).toBe(200)
    expect(await outcomeOf(event)).toMatchObject({ state: "applied", reason: null })
    expect((await deliver(program, event)).status).toBe(200)
    expect(await commissionOf(program, paid.payment_intent)).toMatchObject({ amount_cents: 1_500 })
  })
})

describe("no sale is", () => {
  const STRANGER = { service_click_id: "clk_nobody" }
  test.each<[string, string, () => object]>([
    ["no customer is named", "checkout.session.completed", () => session()],
    [
      "the key has more than 255 characters",
      "checkout.session.completed",
      () => session({ metadata: { customer_key: "x".repeat(256) } }),
    ],
    ["all is of a wrong type", "checkout.session.completed", () => session({ metadata: [7] })],
    ["only a card is set up", "checkout.session.completed", () => session({ mode: "setup" })],
    ["a trial begins", "invoice.paid", () => invoice({ amount_paid: 0 }, STRANGER)],
    ["it is of no subscription", "invoice.paid", () => invoice({ parent: null })],
    ["there is nothing in it", "invoice.paid", () => ({})],
  ])("where %s; the event says why", async (_why, type, object) => {
    const event = await sendEvent(program, type, object())
    expect(await outcomeOf(event)).toEqual({ state: "ignored", reason: expect.any(String), type })
  })

  test("where another program's customer is named", async () => {
    const other = await newStripeProgram()
    const paid = session({ metadata: await clicked() })
    const event = await sendEvent(other, "checkout.session.completed", paid)
    expect(await outcomeOf(event)).toMatchObject({ state: "waiting" })
    expect(await saleOf(paid.payment_intent)).toBeUndefined()
  })

  test("in Stripe's test mode, but a test sale", async () => {
    const status = async () => {
      const path = `/api/tracking/status/${program.program_id}`
      return (await send("GET", path, { token: program.session })).body.data.statistics.payments
    }
    const before = await status()
    const paid = session({ metadata: await clicked() })
    const event = stripeEvent("checkout.session.completed", paid, { livemode: false })
    await deliver(program, event)
    expect(await outcomeOf(event)).toMatchObject({ state: "applied" })
    expect(await saleOf(paid.payment_intent)).toBeUndefined()
    expect((await status()).testEventCount).toBe(before.testEventCount + 1)
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { newClick, newPartner, type TestProgram } from "../../support/program"
import {
  clickMetadata,
  commissionOf,
  deliver,
  invoice,
  makeDue,
  newStripeProgram,
  outcomeOf,
  reportSale,
  saleOf,
  sendEvent,
  session,
  stripeEvent,
  stripeId,
} from "../../support/stripe"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newStripeProgram()
})

describe("a checkout session", () => {
  test("is recorded as a sale under the payment's id", async () => {
    const metadata = { ...(await clickMetadata(program)), customer_key: "ada", product_id: "pro" }
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

  test("is in the next event list", async () => {
    const paid = session({ metadata: await clickMetadata(program) })
    await sendEvent(program, "checkout.session.completed", paid)
    const events = `/api/tracking/events/${program.program_id}?eventType=conversion&pageSize=100`
    const { body } = await send("GET", events, { token: program.session })
    expect(JSON.stringify(body)).toContain(paid.payment_intent)
  })

  test("with a delayed payment is recorded once it is paid", async () => {
    const paid = session({ metadata: await clickMetadata(program) })
    const unpaid = { ...paid, payment_status: "unpaid" }
    const event = await sendEvent(program, "checkout.session.completed", unpaid)
    expect(await outcomeOf(event)).toMatchObject({
      state: "ignored",
      reason: "The checkout session is not paid.",
    })
    await sendEvent(program, "checkout.session.async_payment_succeeded", paid)
    expect(await saleOf(paid.payment_intent)).toMatchObject({ amount_cents: 4_999 })
  })

  test.each(["click_id", "customer_key"])(
    "names its customer in client_reference_id: %s",
    async field => {
      const click_id = await newClick(program)
      const customer_key = stripeId("user")
      await send("POST", "/api/v1/track/lead", { body: { click_id, customer_key } })
      const client_reference_id = { click_id, customer_key }[field]
      const paid = session({ client_reference_id, metadata: null })
      await sendEvent(program, "checkout.session.completed", paid)
      expect(await saleOf(paid.payment_intent)).toMatchObject({ click_id })
    },
  )

  test("and the advertiser's report of it are one sale, in either order", async () => {
    const [first, second] = [session({ metadata: await clickMetadata(program) }), session()]
    second.metadata = first.metadata
    await sendEvent(program, "checkout.session.completed", first)
    const click_id = await newClick(program)
    const sold = { amount_cents: 4_999, click_id }
    expect(
      (await reportSale(program, { ...sold, transaction_id: first.payment_intent })).status,
    ).toBe(409)

    expect(
      (await reportSale(program, { ...sold, transaction_id: second.payment_intent })).status,
    ).toBe(200)
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
    ["isk", 500, 5], // two decimals at Stripe, none in ISO 4217
    ["ugx", 500, 5],
    ["mga", 5, 500], // no decimals at Stripe
    ["isk", 49, undefined], // rounds to zero
    ["xyz", 500, undefined],
    ["usd", 0, undefined],
    ["usd", -1, undefined],
    ["usd", 0.5, undefined],
    ["usd", 2 ** 53, undefined],
  ])("in %s of %d is recorded as %p", async (currency, amount_total, amount_cents) => {
    const paid = session({ currency, amount_total, metadata: await clickMetadata(program) })
    const event = await sendEvent(program, "checkout.session.completed", paid)
    const sale = await saleOf(paid.payment_intent)
    if (amount_cents) expect(sale).toMatchObject({ amount_cents, currency: currency.toUpperCase() })
    else expect(sale).toBeUndefined()
    expect(await outcomeOf(event)).toMatchObject({ state: amount_cents ? "applied" : "ignored" })
  })
})

describe("a subscription", () => {
  test("has a sale for each paid invoice, and none for its checkout session", async () => {
    const metadata = await clickMetadata(program)
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
    await newClick(rival, { existing_click_id }) // the renewal still belongs to the first partner
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

  test.each<[string, (metadata: object) => object]>([
    [
      "an invoice of an older version",
      metadata => ({
        parent: undefined,
        subscription: "sub_old",
        subscription_details: { metadata },
      }),
    ],
    ["the invoice", metadata => ({ metadata })],
    ["a line", metadata => ({ lines: { data: [{ metadata: {} }, { metadata }] } })],
  ])("names its customer in the metadata of %s", async (_where, fields) => {
    const metadata = await clickMetadata(program)
    const paid = invoice(fields(metadata))
    await sendEvent(program, "invoice.paid", paid)
    expect(await saleOf(paid.id)).toMatchObject({ click_id: metadata.service_click_id })
  })

  test.each<[string, object[], string | null]>([
    ["the only one", [{ pricing: { price_details: { product: "prod_1" } } }], "prod_1"],
    ["of an older version", [{ price: { product: { id: "prod_1" } } }], "prod_1"],
    ["one of two", [{ price: { product: "prod_1" } }, { price: { product: "prod_2" } }], null],
  ])("takes the product from its lines: %s", async (_which, data, product_id) => {
    const paid = invoice({ lines: { data } }, await clickMetadata(program))
    await sendEvent(program, "invoice.paid", paid)
    expect(await saleOf(paid.id)).toMatchObject({ product_id })
  })
})

describe("a sale whose customer is not known yet", () => {
  const waitForState = async (state: string, event: { id: string }) => {
    while ((await outcomeOf(event))?.state !== state) await Bun.sleep(50)
  }
  async function signUp(customer_key: string) {
    const body = { click_id: await newClick(program), customer_key }
    return send("POST", "/api/v1/track/lead", { token: program.api_token, body })
  }

  test("waits, and is recorded once the buyer has signed up", async () => {
    const customer_key = stripeId("buyer")
    const paid = session({ metadata: { customer_key } })
    const event = await sendEvent(program, "checkout.session.completed", paid)
    expect(await outcomeOf(event)).toMatchObject({ state: "waiting" })
    await signUp(customer_key)
    await makeDue(event, 1)
    await waitForState("applied", event)
    expect(await saleOf(paid.payment_intent)).toMatchObject({ customer_key })
  })

  test("is ignored after the last try, and recorded when Stripe sends it again", async () => {
    const customer_key = stripeId("buyer")
    const paid = session({ metadata: { customer_key } })
    const event = stripeEvent("checkout.session.completed", paid)
    await deliver(program, event)
    await makeDue(event, 10)
    await waitForState("ignored", event)
    await signUp(customer_key)
    expect((await deliver(program, event)).status).toBe(200)
    expect(await outcomeOf(event)).toMatchObject({ state: "applied", reason: null })
    expect((await deliver(program, event)).status).toBe(200)
    expect(await commissionOf(program, paid.payment_intent)).toMatchObject({ amount_cents: 1_500 })
  })
})

describe("no sale is recorded", () => {
  const UNKNOWN_CLICK = { service_click_id: "clk_unknown" }
  test.each<[string, string, () => object]>([
    ["no customer is named", "checkout.session.completed", () => session()],
    [
      "the customer_key has more than 255 characters",
      "checkout.session.completed",
      () => session({ metadata: { customer_key: "x".repeat(256) } }),
    ],
    [
      "the metadata has the wrong type",
      "checkout.session.completed",
      () => session({ metadata: [7] }),
    ],
    ["only a card is set up", "checkout.session.completed", () => session({ mode: "setup" })],
    ["a trial begins", "invoice.paid", () => invoice({ amount_paid: 0 }, UNKNOWN_CLICK)],
    ["the invoice is of no subscription", "invoice.paid", () => invoice({ parent: null })],
    ["the invoice is empty", "invoice.paid", () => ({})],
  ])("where %s; the event stores the reason", async (_why, type, object) => {
    const event = await sendEvent(program, type, object())
    expect(await outcomeOf(event)).toEqual({ state: "ignored", reason: expect.any(String), type })
  })

  test("where another program's customer is named", async () => {
    const other = await newStripeProgram()
    const paid = session({ metadata: await clickMetadata(program) })
    const event = await sendEvent(other, "checkout.session.completed", paid)
    expect(await outcomeOf(event)).toMatchObject({ state: "waiting" })
    expect(await saleOf(paid.payment_intent)).toBeUndefined()
  })

  test("in Stripe's test mode, only a test sale", async () => {
    const status = async () => {
      const path = `/api/tracking/status/${program.program_id}`
      return (await send("GET", path, { token: program.session })).body.data.statistics.payments
    }
    const before = await status()
    const paid = session({ metadata: await clickMetadata(program) })
    const event = stripeEvent("checkout.session.completed", paid, { livemode: false })
    await deliver(program, event)
    expect(await outcomeOf(event)).toMatchObject({ state: "applied" })
    expect(await saleOf(paid.payment_intent)).toBeUndefined()
    expect((await status()).testEventCount).toBe(before.testEventCount + 1)
  })
})

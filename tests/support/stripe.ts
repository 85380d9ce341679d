import Stripe from "stripe"
import { newClick, newProgram, type TestProgram } from "./program"
import { send, sql } from "./world"

export const SIGNING_SECRET = "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH"

let count = 0

/** A unique id in Stripe's format. */
export const stripeId = (prefix: string) =>
  `${prefix}_${process.pid}${Date.now().toString(36)}${++count}`

/** A program that receives Stripe's webhooks. */
export const newStripeProgram = (fields: object = {}) =>
  newProgram({ stripe_signing_secret: SIGNING_SECRET, ...fields })

/** An event as Stripe sends it, with a new id unless the fields say otherwise. */
export const stripeEvent = (type: string, object: object, fields: object = {}) => ({
  id: stripeId("evt"),
  object: "event",
  api_version: "2026-10-28.endive",
  created: Math.floor(Date.now() / 1_000),
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
  data: { object },
  ...fields,
})

export const sign = (
  payload: string,
  secret = SIGNING_SECRET,
  fields: { timestamp?: number } = {},
) =>
  Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    ...(fields as { timestamp: number }),
  })

/** The headers that Stripe sends with an event. */
export const signed = async (event: object) => ({
  "content-type": "application/json; charset=utf-8",
  "stripe-signature": await sign(JSON.stringify(event)),
})

export const deliver = async ({ program_id }: { program_id: number }, event: object) =>
  send("POST", `/api/webhooks/stripe/${program_id}`, { body: event, headers: await signed(event) })

/** Delivers a new event and throws unless it is answered 200. Returns the event. */
export async function sendEvent(program: { program_id: number }, type: string, object: object) {
  const event = stripeEvent(type, object)
  const { status, body } = await deliver(program, event)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return event
}

/** Reports a sale as the advertiser does. */
export const reportSale = ({ api_token: token }: TestProgram, body: object) =>
  send("POST", "/api/v1/track/sale", { token, body })

/** Metadata that names a new click of the program as the buyer's. */
export const clickMetadata = async (program: TestProgram) => ({
  service_click_id: await newClick(program),
})

type EventOutcome = { state: string; reason: string | null; type: string }

/** The stored outcome of an event, if there is one. */
export async function outcomeOf({ id }: { id: string }): Promise<EventOutcome | undefined> {
  const [outcome] = await sql<[EventOutcome?]>`
    select state, reason, type
    from tracking.processor_events
    where event_id = ${id}
  `
  return outcome
}

/** Makes the sweeper try a waiting event now, after this many tries. */
export const makeDue = ({ id }: { id: string }, tries: number) => sql`
  update tracking.processor_events
  set tries = ${tries}, try_after = now()
  where event_id = ${id}
`

export type StoredSale = { id: number; partner_id: number; amount_cents: number } & Record<
  string,
  unknown
>

/** A stored sale, if it is complete. */
export async function saleOf(transaction_id: string): Promise<StoredSale | undefined> {
  const [sale] = await sql<[StoredSale?]>`
    select *
    from tracking.affiliate_sale_events
    where transaction_id = ${transaction_id}
      and state = 'complete'
      and not is_test
  `
  return sale
}

export async function commissionOf({ path, session }: TestProgram, transaction_id: string) {
  const sale = await saleOf(transaction_id)
  if (!sale) return undefined
  const shown = await send("GET", `${path}/sales/${sale.id}`, { token: session })
  return shown.body.data.commission
}

/** Reads again until the result is as expected: a sweeper takes a moment. */
export async function eventually<Result>(
  read: () => Promise<Result>,
  isExpected: (seen: Result) => boolean,
) {
  for (let tries = 0; ; tries++) {
    const seen = await read()
    if (isExpected(seen) || tries === 80) return seen
    await Bun.sleep(100)
  }
}

// Stripe's objects in the current API version unless they say otherwise, with only the fields we read.

export const invoice = (fields: object = {}, metadata: object = {}) => ({
  id: stripeId("in"),
  object: "invoice",
  amount_due: 4_999,
  amount_paid: 4_999,
  billing_reason: "subscription_cycle",
  currency: "usd",
  customer_email: "ada@customers.example",
  metadata: {},
  parent: {
    type: "subscription_details",
    quote_details: null,
    subscription_details: { metadata, subscription: stripeId("sub") },
  },
  status: "paid",
  lines: { object: "list", data: [], has_more: false },
  ...fields,
})

export const invoicePayment = (invoice: string, payment_intent: string) => ({
  id: stripeId("inpay"),
  object: "invoice_payment",
  amount_paid: 4_999,
  currency: "usd",
  invoice,
  payment: { type: "payment_intent", payment_intent },
  status: "paid",
})

export const session = (fields: object = {}) => ({
  id: stripeId("cs_live"),
  object: "checkout.session",
  amount_total: 4_999,
  client_reference_id: null,
  currency: "usd",
  customer_details: { email: "ada@customers.example" },
  metadata: {},
  mode: "payment",
  payment_intent: stripeId("pi"),
  payment_status: "paid",
  status: "complete",
  ...fields,
})

export const refund = (payment_intent: string, amount: number, fields: object = {}) => ({
  id: stripeId("re"),
  object: "refund",
  amount,
  charge: stripeId("ch"),
  currency: "usd",
  payment_intent,
  reason: "requested_by_customer",
  status: "succeeded",
  ...fields,
})

export const charge = (payment_intent: string | null, fields: object = {}) => ({
  id: stripeId("ch"),
  object: "charge",
  amount: 4_999,
  currency: "usd",
  payment_intent,
  refunded: false,
  ...fields,
})

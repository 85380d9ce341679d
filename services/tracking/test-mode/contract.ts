import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Cents, Id, ListOf, Name, Nullable, OneOf, Slice, Time } from "../../../lib/fields"
import { Click } from "../clicks/contract"
import { Lead } from "../leads/contract"
import { Refund, SaleFields } from "../sales/contract"

/** The body of a sale in test mode: transaction_id and amount_cents are optional. */
export const TestSale = Type.Object({
  ...SaleFields,
  transaction_id: Type.Optional(Name),
  amount_cents: Type.Optional(Cents),
})

export type TestSale = Static<typeof TestSale>

/** The body of a refund in test mode: all fields are optional. */
export const TestRefund = Type.Partial(Refund)

/**
 * Stores a click, lead or sale with is_test true. It changes no customer, counter, commission or
 * metric (behaviour 4.5). The program is `program_id`, or else that of the link `code`.
 * Faults: invalid (no program found).
 */
export const recordTestEvent = operation("tracking.test_event.record", {
  request: Type.Object({
    program_id: Nullable(Id),
    code: Nullable(Type.String()),
    event: Type.Union([
      Type.Object({ click: Click }),
      Type.Object({ lead: Lead }),
      Type.Object({ sale: TestSale }),
    ]),
  }),
  reply: Type.Object({ event_id: Id, program_id: Id }),
})

/** Finds the test sale that a test refund names (behaviour 4.5). `event_id` null: none. */
export const findTestSale = operation("tracking.test_sale.find", {
  request: Type.Object({ program_id: Id, transaction_id: Nullable(Name) }),
  reply: Type.Object({ event_id: Nullable(Id) }),
})

const common = {
  id: Id,
  timestamp: Time,
  click_id: Nullable(Type.String()), // as sent; a test click gets none
  created_at: Time,
  is_test: Type.Literal(true),
}
const visit = { session_id: Nullable(Type.String()), page_url: Nullable(Type.String()) }

/** A click, lead or sale in test mode. It has no customer or partner. */
export const TestEvent = Type.Union([
  Type.Object({
    ...common,
    event_type: Type.Literal("click"),
    ...visit,
    referrer_url: Nullable(Type.String()),
    geo_country: Nullable(Type.String()),
    geo_region: Nullable(Type.String()),
    geo_city: Nullable(Type.String()),
    device_type: Nullable(Type.String()),
    device_os: Nullable(Type.String()),
    browser_name: Nullable(Type.String()),
    converted: Type.Boolean(),
  }),
  Type.Object({
    ...common,
    event_type: Type.Literal("lead"),
    customer_key: Nullable(Type.String()),
    ...visit,
    converted: Type.Boolean(),
  }),
  Type.Object({
    ...common,
    event_type: Type.Literal("conversion"),
    customer_key: Nullable(Type.String()),
    amount_cents: Nullable(Type.Integer()), // null: it was left out, as it may be in test mode
    currency: Type.String(),
    sale_type: Type.String(),
    payment_status: Type.String(),
    processor_event_id: Nullable(Type.String()), // the transaction_id; null: it was left out
    is_recurring: Type.Boolean(),
  }),
])

export type TestEvent = Static<typeof TestEvent>

/**
 * Lists the test events of a program, newest first: by time, then type, then id, all descending.
 * `from`, `to`: the bounds of their time, both included. Absent fields do not narrow the list.
 * `after`: the event after which the list continues, null: it begins with the newest.
 * Faults: none.
 */
export const listTestEvents = operation("tracking.test_event.list", {
  request: Type.Object({
    program_id: Id,
    filter: Type.Object({
      from: Time,
      to: Time,
      event_type: Type.Optional(OneOf("click", "lead", "conversion")),
      customer_key: Type.Optional(Name),
      transaction_id: Type.Optional(Name),
      country: Type.Optional(Type.String()),
    }),
    slice: Slice,
    after: Nullable(Type.Object({ timestamp: Time, event_type: Type.String(), id: Id })),
  }),
  reply: ListOf(TestEvent),
})

const Step = Type.Object({
  is_complete: Type.Boolean(), // a real event was recorded
  test_events: Type.Integer(),
  latest: Nullable(Type.Object({ id: Id, timestamp: Time, created_at: Time })), // of the tests
})

/**
 * Returns the integration status of a program as of `now` (behaviour 5.4). `lacks_keys`: leads were
 * recorded, but no customer has a customer_key and none has bought yet. Faults: none.
 */
export const showStatus = operation("tracking.status.show", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({
    steps: Type.Object({ click: Step, lead: Step, sale: Step }),
    lacks_keys: Type.Boolean(),
    now: Time,
  }),
})

import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Cents, Id, Name, Nullable, Time } from "../../../lib/fields"
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

const Step = Type.Object({
  is_complete: Type.Boolean(), // a real event was recorded
  test_events: Type.Integer(),
  latest: Nullable(Type.Object({ id: Id, timestamp: Time, created_at: Time })), // of the tests
})

/** Returns the integration status of a program as of `now` (behaviour 5.4). Faults: none. */
export const showStatus = operation("tracking.status.show", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({ steps: Type.Object({ click: Step, lead: Step, sale: Step }), now: Time }),
})

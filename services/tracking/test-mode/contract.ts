import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Cents, Id, Name, Nullable, Time } from "../../../lib/fields"
import { Click } from "../clicks/contract"
import { Lead } from "../leads/contract"
import { Refund, SaleFields } from "../sales/contract"

/** The same in test mode: what identifies and counts may be left out. */
export const TestSale = Type.Object({
  ...SaleFields,
  transaction_id: Type.Optional(Name),
  amount_cents: Type.Optional(Cents),
})

export type TestSale = Static<typeof TestSale>

/** The same in test mode. */
export const TestRefund = Type.Partial(Refund)

/**
 * Stores a click, lead or sale with is_test true: it touches no customer, counter, commission
 * or metric (specification 1.8). The program is `program_id`, else that of the link `code`.
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

/** The test sale that a test refund names, or null (contract 4). It changes nothing. */
export const findTestSale = operation("tracking.test_sale.find", {
  request: Type.Object({ program_id: Id, transaction_id: Nullable(Name) }),
  reply: Type.Object({ event_id: Nullable(Id) }),
})

const Step = Type.Object({
  is_complete: Type.Boolean(), // a real event has been recorded
  test_events: Type.Integer(),
  latest: Nullable(Type.Object({ id: Id, timestamp: Time, created_at: Time })), // of the tests
})

/** How far the integration of a program has come, as of `now` (contract 4). Faults: none. */
export const showStatus = operation("tracking.status.show", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({ steps: Type.Object({ click: Step, lead: Step, sale: Step }), now: Time }),
})

import { Fault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { sql } from "../db"
import { recordSale } from "../sales/record-sale"
import { refundSale } from "../sales/refund-sale"
import { recordTestEvent } from "../test-mode/record-test-event"
import { findPaidSale } from "./processor-payments"
import { refundsOf } from "./processor-refunds"
import type { Reading, StoredEvent } from "./reading"

const TRIES_MAX = 10 // five minutes, longer than any transaction that could have missed it

type SaleReading = Extract<Reading, { kind: "sale" }>
type RefundReading = Extract<Reading, { kind: "refund" }>

/** A reason says why an event is ignored. Null: its sale or customer is not stored yet. */
type Outcome = { reason: string | null } | null

/**
 * Applies an event under its stored request id, so that applying it twice, after a crash or on two
 * replicas, has one effect. If it fails, the event waits and the sweeper retries it. A refund
 * without a sale is tried for a while, then rests until the sale is stored.
 */
export async function applyProcessorEvent(event: StoredEvent) {
  try {
    const outcome = await apply(event)
    await (outcome ? storeOutcome(event, outcome.reason) : restIfExhausted(event))
  } catch (err) {
    log.warn({ err, event: event.id }, "A payment processor event is still waiting.")
  }
}

async function apply(event: StoredEvent): Promise<Outcome> {
  switch (event.reading.kind) {
    case "sale":
      return applySale(event, event.reading)
    case "refund":
      return applyRefund(event, event.reading)
    default:
      throw new Error("A waiting event has nothing to apply.")
  }
}

/**
 * Records the sale of an event. If it is recorded already, the event is ignored. If its customer
 * does not exist yet, the event waits for a while: some shops have buyers sign up after paying.
 */
async function applySale(event: StoredEvent, { sale, is_test }: SaleReading): Promise<Outcome> {
  const { program_id, request_id, tries } = event
  try {
    if (is_test) await recordTestEvent({ program_id, code: null, event: { sale } })
    else await recordSale({ request_id, program_id, sale })
    return { reason: null }
  } catch (error) {
    if (isFault(error, "invalid")) return tries < TRIES_MAX ? null : { reason: error.message }
    if (isFault(error, "duplicate")) return { reason: error.message }
    throw error
  }
}

async function applyRefund(event: StoredEvent, reading: RefundReading): Promise<Outcome> {
  const { payment, currency, refund_reason } = reading
  const sale = await findPaidSale(event.program_id, payment)
  if (!sale) return null
  if (sale.currency !== currency) {
    return { reason: `The refund is in ${currency}, but the sale is in ${sale.currency}.` }
  }
  const { transaction_id } = sale
  for (const { refund_id, taken_cents } of await refundsOf(event)) {
    const refund = { transaction_id, refund_id, refund_reason, refund_amount_cents: taken_cents }
    await refundUpToRemainder(event, refund)
  }
  return { reason: null }
}

type Refund = Parameters<typeof refundSale>[0]["refund"]

/** Refunds what remains if that is less: the sale may have been recorded without its tax. */
async function refundUpToRemainder({ program_id, request_id }: StoredEvent, refund: Refund) {
  const request = { program_id, request_id: `${request_id} ${refund.refund_id}` }
  await refundSale({ ...request, refund }).catch(error => {
    if (!isFault(error, "invalid")) throw error
    return refundSale({ ...request, refund: { ...refund, refund_amount_cents: 0 } })
  })
}

const isFault = (error: unknown, kind: Fault["kind"]): error is Fault =>
  error instanceof Fault && error.kind === kind

/** Stores the outcome and deletes the reading. */
const storeOutcome = ({ id }: StoredEvent, reason: string | null) => sql`
  update processor_events
  set
    state = ${reason === null ? "applied" : "ignored"},
    reason = ${reason},
    reading = null
  where id = ${id}
    and state = 'waiting'
`

/** Stops retrying an event after its last try, unless it was woken in the meantime. */
const restIfExhausted = ({ id, tries }: StoredEvent) => sql`
  update processor_events
  set try_after = 'infinity'
  where id = ${id}
    and state = 'waiting'
    and tries = ${tries}
    and tries >= ${TRIES_MAX}
`

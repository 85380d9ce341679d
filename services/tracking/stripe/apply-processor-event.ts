import { Fault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { sql } from "../db"
import { recordSale } from "../sales/record-sale"
import { refundSale } from "../sales/refund-sale"
import { recordTestEvent } from "../test-mode/record-test-event"
import { findPaidSale } from "./processor-payments"
import { refundsOf } from "./processor-refunds"
import type { Reading, StoredEvent } from "./reading"

const TRIES_MAX = 10 // five minutes: no transaction that could have overlooked it lives as long

type SaleReading = Extract<Reading, { kind: "sale" }>
type RefundReading = Extract<Reading, { kind: "refund" }>

/** What comes of an event: a reason says why it is ignored. Null: what it is about is not there yet. */
type Outcome = { reason: string | null } | null

/**
 * Does what an event says, as the request that it was given: applied again, because a process died
 * or two have it, it has the same answers and one effect. Whatever goes wrong, the event waits, and
 * the sweeper tries again. A refund without a sale is tried for a while, then rests until the sale
 * comes.
 */
export async function applyProcessorEvent(event: StoredEvent) {
  try {
    const outcome = await apply(event)
    await (outcome ? settle(event, outcome.reason) : rest(event))
  } catch (err) {
    log.warn({ err, event: event.id }, "An event of the payment processor still waits.")
  }
}

async function apply(event: StoredEvent): Promise<Outcome> {
  switch (event.reading.kind) {
    case "sale":
      return sell(event, event.reading)
    case "refund":
      return refund(event, event.reading)
    default:
      throw new Error("An event waits and has nothing to be applied.")
  }
}

/**
 * What was recorded before is settled with that. One that names nobody yet waits for a while: some
 * shops have their buyers sign up after they have paid.
 */
async function sell(event: StoredEvent, { sale, is_test }: SaleReading): Promise<Outcome> {
  const { program_id, request_id, tries } = event
  try {
    if (is_test) await recordTestEvent({ program_id, code: null, event: { sale } })
    else await recordSale({ request_id, program_id, sale })
    return { reason: null }
  } catch (error) {
    if (isOf(error, "invalid")) return tries < TRIES_MAX ? null : { reason: error.message }
    if (isOf(error, "duplicate")) return { reason: error.message }
    throw error
  }
}

async function refund(event: StoredEvent, reading: RefundReading): Promise<Outcome> {
  const { payment, currency, refund_reason } = reading
  const sale = await findPaidSale(event.program_id, payment)
  if (!sale) return null
  if (sale.currency !== currency) {
    return { reason: `The refund is in ${currency}, and its sale in ${sale.currency}.` }
  }
  const { transaction_id } = sale
  for (const { refund_id, taken_cents } of await refundsOf(event)) {
    const refund = { transaction_id, refund_id, refund_reason, refund_amount_cents: taken_cents }
    await take(event, refund)
  }
  return { reason: null }
}

type Refund = Parameters<typeof refundSale>[0]["refund"]

/** A sale may have been recorded without the tax that is refunded with it: then all of it goes. */
async function take({ program_id, request_id }: StoredEvent, refund: Refund) {
  const asked = { program_id, request_id: `${request_id} ${refund.refund_id}` }
  await refundSale({ ...asked, refund }).catch(error => {
    if (!isOf(error, "invalid")) throw error
    return refundSale({ ...asked, refund: { ...refund, refund_amount_cents: 0 } })
  })
}

const isOf = (error: unknown, kind: Fault["kind"]): error is Fault =>
  error instanceof Fault && error.kind === kind

/** What was to be done is done, and is forgotten. */
const settle = ({ id }: StoredEvent, reason: string | null) => sql`
  update processor_events
  set
    state = ${reason === null ? "applied" : "ignored"},
    reason = ${reason},
    reading = null
  where id = ${id}
    and state = 'waiting'
`

/** Unless it was woken meanwhile: then its tries count anew. */
const rest = ({ id, tries }: StoredEvent) => sql`
  update processor_events
  set try_after = 'infinity'
  where id = ${id}
    and state = 'waiting'
    and tries = ${tries}
    and tries >= ${TRIES_MAX}
`

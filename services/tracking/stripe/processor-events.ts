import type { Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import type { StripeEvent } from "../contract"
import { sql } from "../db"
import { linkPayment } from "./processor-payments"
import { storeRefundPart } from "./processor-refunds"
import type { Reading, StoredEvent } from "./reading"

export const EVENT_COLUMNS = [
  "id",
  "program_id",
  "request_id",
  "reading",
  "tries",
] satisfies (keyof StoredEvent)[]

/** Stores an event once. Returns it if it must be applied, also if an ignored one is resent. */
export const storeEvent = (program_id: number, event: StripeEvent, reading: Reading) =>
  retryOnConflict(() =>
    sql.begin(async sql => {
      const stored = await insertEvent(sql, program_id, event, reading)
      if (!stored) return undefined // a replay
      await linkPayments(sql, program_id, reading)
      if (reading.kind === "refund") {
        for (const part of reading.parts) await storeRefundPart(sql, stored, reading.payment, part)
      }
      return isActionable(reading) ? stored : undefined
    }),
  )

async function insertEvent(
  sql: Transaction,
  program_id: number,
  { id: event_id, type }: StripeEvent,
  reading: Reading,
) {
  const row = {
    program_id,
    event_id,
    type,
    reading: isActionable(reading) ? sql.json(reading as never) : null,
    payment: reading.kind === "refund" ? reading.payment : null,
    state: isActionable(reading) ? "waiting" : reading.kind === "ignored" ? "ignored" : "applied",
    reason: reading.kind === "ignored" ? reading.reason : null,
  }
  const [stored] = await sql<[StoredEvent?]>`
    insert into processor_events ${sql(row)}
    on conflict (program_id, event_id) do update
    set
      state = excluded.state,
      reading = excluded.reading,
      reason = null,
      tries = 0,
      try_after = excluded.try_after
    where (processor_events.state, excluded.state) = ('ignored', 'waiting')
    returning ${sql(EVENT_COLUMNS)}
  `
  return stored
}

const isActionable = ({ kind }: Reading) => kind === "sale" || kind === "refund"

/** Links payments to the sale that they paid, which wakes the refunds that wait for it. */
async function linkPayments(sql: Transaction, program_id: number, reading: Reading) {
  switch (reading.kind) {
    case "sale":
      for (const payment of reading.payments.toSorted()) {
        await linkPayment(sql, program_id, payment, reading.sale.transaction_id)
      }
      break
    case "payment":
    case "refund":
      await linkPayment(sql, program_id, reading.payment, reading.transaction_id)
  }
}

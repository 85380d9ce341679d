import type { Sale } from "../contract"

/** What is to be done about an event of a payment processor. */
export type Reading =
  | { kind: "sale"; is_test: boolean; sale: Sale; payments: string[] } // ids that refunds name
  | { kind: "payment"; payment: string; transaction_id: string } // the sale that it paid
  | {
      kind: "refund"
      payment: string
      transaction_id: string | null // the sale that was paid; null: unknown
      currency: string
      refund_reason?: string
      parts: RefundPart[]
    }
  | { kind: "ignored"; reason: string }

/** One refund of a payment. `is_total`: all its refunds so far, as one sum. */
export type RefundPart = { refund_id: string; amount_cents: number; is_total: boolean }

export type StoredEvent = {
  id: number
  program_id: number
  request_id: string
  reading: Reading
  tries: number
}

import type { Sale } from "../contract"

/** What an event of a payment processor means here. */
export type Reading =
  | { kind: "sale"; is_test: boolean; sale: Sale; payments: string[] } // what its refunds name
  | { kind: "payment"; payment: string; transaction_id: string } // it has paid this sale
  | {
      kind: "refund"
      payment: string
      transaction_id: string | null // that the payment has paid, if the event says so
      currency: string
      refund_reason?: string
      parts: RefundPart[]
    }
  | { kind: "nothing"; reason: string }

/** A refund; or, where it is a total, all refunds of a payment so far. */
export type RefundPart = { refund_id: string; amount_cents: number; is_total: boolean }

export type StoredEvent = {
  id: number
  program_id: number
  request_id: string
  reading: Reading
  tries: number
}

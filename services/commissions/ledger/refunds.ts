import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import type * as contract from "../contract"
import type { Commission } from "../contract"
import type { LedgerCommission } from "./ledger"

type Request = RequestOf<typeof contract.reverseCommission>

/** A commission whose sale is being refunded. */
export type RefundedCommission = LedgerCommission & {
  transaction_id: string
  amount_cents: number
  status: Commission["status"]
  refund_reason: string | null // of the last refund that gave one
  refunded_cents: number // of the sale, by earlier refunds
  deducted_cents: number
}

export type Refund = {
  status: "reversed" | "refunded"
  refund_cents: number // of the sale
  deduction_cents: number // of the commission, before the clamp
}

/** Finds the refund that an earlier delivery of the same request stored. */
export async function findRefund(sql: Transaction, request_id: string) {
  const [refund] = await sql<[(Refund & { commission_id: number })?]>`
    select commission_id, status, refund_cents, deduction_cents
    from refunds
    where request_id = ${request_id}
  `
  return refund
}

/** Why nothing more is taken back, as a sentence for the caller. Null: a refund is possible. */
export async function skipReason(
  sql: Transaction,
  { id, status, refunded_cents }: RefundedCommission,
  request: Request,
) {
  if (status === "rejected") return "The commission was already rejected."
  if (status === "reversed") return "The commission is already reversed."
  if (status !== "refunded") return null

  const [earlier] = await sql<[{ is_whole: boolean; is_known: boolean }]>`
    select
      bool_or(refund_id is null) as is_whole, -- a caller without refund_ids refunds once
      coalesce(bool_or(refund_id = ${request.refund_id}), false) as is_known
    from refunds
    where commission_id = ${id}
  `
  if (earlier.is_known) return "This refund_id is already recorded."
  if (earlier.is_whole || refunded_cents === request.sale_amount_cents) {
    return "The sale is already refunded."
  }
  if (request.refund_id === null)
    return "Earlier refunds of this sale have a refund_id: send one too."
  return null
}

/** Stores a refund and updates its commission. Returns the id of the refund. */
export async function storeRefund(
  sql: Transaction,
  { id }: RefundedCommission,
  { request_id, refund_id, refund_reason }: Request,
  { status, refund_cents, deduction_cents }: Refund,
): Promise<number> {
  const [stored] = await sql<[{ id: number }]>`
    insert into refunds (
      request_id, commission_id, refund_id, status, refund_cents, deduction_cents, refund_reason
    )
    values (
      ${request_id}, ${id}, ${refund_id}, ${status}, ${refund_cents}, ${deduction_cents},
      ${refund_reason}
    )
    returning id
  `
  await sql`
    update commissions
    set
      status = ${status},
      refund_reason = coalesce(${refund_reason}, refund_reason),
      refunded_cents = refunded_cents + ${refund_cents},
      deducted_cents = deducted_cents + ${deduction_cents}
    where id = ${id}
  `
  return stored.id
}

import { Type } from "@sinclair/typebox"
import { BulkIds, BulkRows } from "../../../lib/bulk"
import { operation } from "../../../lib/bus/operation"
import { Id, OneOf } from "../../../lib/fields"
import { CommissionFilter, CommissionStatus, Rejection } from "../commissions/contract"

/** How many commissions have a status and currency, and what they earned together. */
export const CommissionSum = Type.Object({
  status: CommissionStatus,
  currency: Type.String(),
  count: Type.Integer(),
  amount_cents: Type.Integer(),
})

/** The sums of commissions by status and currency, without those of none. Faults: none. */
export const sumCommissions = operation("commissions.commission.sum", {
  request: Type.Object({ program_id: Id, filter: CommissionFilter }),
  reply: Type.Object({ sums: Type.Array(CommissionSum) }),
})

/** The body of POST …/commissions/bulk. */
export const CommissionStep = Type.Object({
  action: OneOf("approve", "reject"),
  ids: BulkIds,
  reason: Type.Optional(Rejection.properties.reason), // of a rejection: required
})

/**
 * Approves or rejects commissions, each in a transaction of its own, as approveCommission and
 * rejectCommission do. Safe to repeat. Faults: invalid (a rejection without a reason).
 */
export const settleCommissions = operation("commissions.commission.settle", {
  request: Type.Composite([Type.Object({ program_id: Id }), CommissionStep]),
  reply: Type.Object({ rows: BulkRows }),
})

/** What of a program's commissions waits for a person. */
export const countAttention = operation("commissions.commission.count_attention", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({
    commissions_to_review: Type.Integer(), // pending, and approved by no hold
    refunds_after_payment: Type.Integer(), // warnings of the advertiser that are not read yet
    currency_mismatch: Type.Integer(), // pending, of a sale in another currency than the program's
  }),
})

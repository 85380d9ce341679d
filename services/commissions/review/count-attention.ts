import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { IS_OTHER_CURRENCY, NEEDS_APPROVAL } from "../commissions/commissions"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.countAttention>
type Reply = ReplyOf<typeof contract.countAttention>

export async function countAttention({ program_id }: Request): Promise<Reply> {
  const [commissions] = await sql<[Omit<Reply, "refunds_after_payment">]>`
    select
      count(*) filter (where ${NEEDS_APPROVAL}) as commissions_to_review,
      count(*) filter (where ${IS_OTHER_CURRENCY}) as currency_mismatch
    from commissions
    where program_id = ${program_id}
      and status = 'pending'
  `
  const [warnings] = await sql<[Pick<Reply, "refunds_after_payment">]>`
    select count(*) as refunds_after_payment
    from notifications
    where workspace_id = (select workspace_id from programs where program_id = ${program_id})
      and program_id = ${program_id}
      and kind = 'paid_commission_refunded'
      and read_at is null
  `
  return { ...commissions, ...warnings }
}

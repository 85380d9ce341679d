import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { exponentOf, major } from "../../../lib/money"
import type { Notification, NotificationReader } from "../contract"
import { sql } from "../db"
import type { Booked } from "../ledger/ledger"
import type { Refund } from "../ledger/refunds"

type Told = Booked & { transaction_id: string; amount_cents: number }

/** Tells the partner that the commission is withheld, and why. */
export const notifyOfRejection = (sql: Transaction, commission: Told, reason: string | null) =>
  tellPartner(sql, commission, "commission_rejected", `${commissionOf(commission)} was rejected.`, {
    reason,
  })

export const notifyOfPayout = (sql: Transaction, commission: Told) =>
  tellPartner(sql, commission, "commission_paid", `${commissionOf(commission)} was paid.`)

/**
 * Leaves a notice for the partner and, where the commission was paid, a warning for the
 * advertiser, whose money is gone unless somebody sees to it (specification 4.5).
 */
export async function notifyOfRefund(
  sql: Transaction,
  commission: Told,
  { status, deduction_cents }: Refund,
  reason: string | null,
  refund_id: number,
) {
  const { id, program_id, transaction_id, currency, paid_at } = commission
  const amount = amountOf(deduction_cents, currency)
  const notice = `Sale ${transaction_id} was refunded: ${amount} of your commission is taken back.`
  const warning =
    `Sale ${transaction_id} was refunded after its commission was paid: ` +
    `please review it, the partner owes ${amount}.`

  await tellPartner(sql, commission, `commission_${status}`, notice, { reason, refund_id })
  if (paid_at === null) return

  await sql`
    insert into notifications (
      program_id, recipient, workspace_id, kind, commission_id, refund_id, message
    )
    select
      program_id, 'advertiser', workspace_id, 'paid_commission_refunded', ${id}, ${refund_id},
      ${warning + because(reason)}
    from programs
    where program_id = ${program_id}
  `
}

/** Once for each commission, kind and refund: the table sees to it. */
async function tellPartner(
  sql: Transaction,
  { id, program_id, partner_id }: Told,
  kind: Notification["kind"],
  message: string,
  { reason = null, refund_id = null }: { reason?: string | null; refund_id?: number | null } = {},
) {
  await sql`
    insert into notifications (
      program_id, recipient, partner_id, kind, commission_id, refund_id, message
    )
    values (
      ${program_id}, 'partner', ${partner_id}, ${kind}, ${id}, ${refund_id},
      ${message + because(reason)}
    )
  `
}

const commissionOf = ({ amount_cents, currency, transaction_id }: Told) =>
  `Your commission of ${amountOf(amount_cents, currency)} for sale ${transaction_id}`
const amountOf = (cents: number, currency: string) =>
  `${major(cents, currency).toFixed(exponentOf(currency))} ${currency}`
const because = (reason: string | null) => (reason ? ` Reason: ${reason}` : "")

/** The columns of a notice, and of its commission, that are shown. */
export const shownNotification = sql`
  notice.id, kind, notice.program_id, commission_id, transaction_id, message, read_at,
  notice.created_at
`

/** Said of another's notice as of none. */
export const noNotification = () => new Fault("missing", "There is no such notification.")

/** Which notices are whose. */
export function isFor(reader: NotificationReader) {
  if ("account_id" in reader) {
    return sql`
      notice.partner_id in (select id from partners where account_id = ${reader.account_id})
    `
  }
  const { workspace_id, program_ids } = reader
  return sql`
    notice.workspace_id = ${workspace_id}
      ${program_ids ? sql`and notice.program_id = any (${program_ids}::bigint[])` : sql``}
  `
}

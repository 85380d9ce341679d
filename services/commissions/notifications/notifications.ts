import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { amountText } from "../../../lib/money"
import type { Notification, NotificationReader } from "../contract"
import { sql } from "../db"
import type { LedgerCommission } from "../ledger/ledger"
import type { Refund } from "../ledger/refunds"

type Unbinding = { program_id: number; partner_id: number; account_id: number | null }
type NotifiedCommission = LedgerCommission & { transaction_id: string; amount_cents: number }

/** Notifies the partner that the commission was rejected, and why. */
export function notifyOfRejection(
  sql: Transaction,
  commission: NotifiedCommission,
  reason: string,
) {
  const message = `${commissionOf(commission)} was rejected.`
  return notifyPartner(sql, commission, "commission_rejected", message, { reason })
}

export const notifyOfPayout = (sql: Transaction, commission: NotifiedCommission) =>
  notifyPartner(sql, commission, "commission_paid", `${commissionOf(commission)} was paid.`)

/**
 * Notifies the partner of a refund and, if the commission was already paid, warns the advertiser,
 * who would otherwise lose the money (behaviour 6.7.1).
 */
export async function notifyOfRefund(
  sql: Transaction,
  commission: NotifiedCommission,
  { status, deduction_cents }: Refund,
  reason: string | null,
  refund_id: number,
) {
  const { id, program_id, transaction_id, currency, paid_at } = commission
  const amount = amountText(deduction_cents, currency)
  const message = `Sale ${transaction_id} was refunded: ${amount} of your commission was deducted.`
  const warning =
    `Sale ${transaction_id} was refunded after its commission was paid. ` +
    `The partner owes ${amount}: please review.`

  await notifyPartner(sql, commission, `commission_${status}`, message, { reason, refund_id })
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

/** Notifies both sides that the account of a partner is no longer bound to it. */
export async function notifyOfUnbinding(
  sql: Transaction,
  { program_id, partner_id, account_id }: Unbinding,
) {
  const kind = "account_unbound"
  const toAdvertiser = `The account of partner ${partner_id} was unbound. You can invite them again.`
  const toPartner = `Your account was unbound from partner ${partner_id} of program ${program_id}.`
  await sql`
    insert into notifications (program_id, recipient, workspace_id, kind, message)
    select program_id, 'advertiser', workspace_id, ${kind}, ${toAdvertiser}
    from programs
    where program_id = ${program_id}
  `
  if (account_id === null) return
  await sql`
    insert into notifications (program_id, recipient, account_id, kind, message)
    values (${program_id}, 'partner', ${account_id}, ${kind}, ${toPartner})
  `
}

/** A unique constraint allows one notification per commission, kind and refund. */
async function notifyPartner(
  sql: Transaction,
  { id, program_id, partner_id }: NotifiedCommission,
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

const commissionOf = ({ amount_cents, currency, transaction_id }: NotifiedCommission) =>
  `Your commission of ${amountText(amount_cents, currency)} for sale ${transaction_id}`
const because = (reason: string | null) => (reason ? ` Reason: ${reason}` : "")

/**
 * The columns of a notification and its commission, if any, that the API shows to this reader. A
 * partner does not learn the advertiser's transaction_id: the message names the sale by its id.
 */
export const notificationColumns = (reader: NotificationReader) => sql`
  notification.id, kind, notification.program_id, commission_id, sale_id,
  ${"account_id" in reader ? FOR_PARTNER : sql`transaction_id, message`},
  read_at, notification.created_at
`

/** All messages that have a transaction_id have it in "sale … was", and before any free text. */
const FOR_PARTNER = sql`
  null as transaction_id,
  case
    when transaction_id is null then message
    else overlay(
      message placing sale_id::text
      from strpos(message, 'ale ' || transaction_id || ' was') + 4
      for length(transaction_id)
    )
  end as message
`

/** Also thrown for a notification of another reader, so that its existence stays hidden. */
export const notificationNotFound = () => new Fault("missing", "Notification not found.")

/** Matches the notifications that are addressed to this reader. */
export function isAddressedTo(reader: NotificationReader) {
  if ("account_id" in reader) {
    return sql`
      (
        notification.account_id = ${reader.account_id}
        or notification.partner_id = any (
          array(select id from partners where account_id = ${reader.account_id})
        )
      )
    `
  }
  const { workspace_id, program_ids } = reader
  return sql`
    notification.workspace_id = ${workspace_id}
      ${program_ids ? sql`and notification.program_id = any (${program_ids}::bigint[])` : sql``}
  `
}

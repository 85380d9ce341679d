import { amountText } from "../../../lib/money"
import type { NoticeKind } from "../../identity/contract"

/** An event, as far as notices are about it. */
export type NotedEvent = {
  type: string
  partner_id: number | null
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

export type NoticeText = { kind: NoticeKind; partner_id: number | null; message: string }

type Commission = {
  sale_id: number
  transaction_id: string
  amount_cents: number
  currency: string
  rejection_reason: string | null
}

/** What mails call the kinds of notices. */
export const SUBJECTS: Record<NoticeKind, string> = {
  sale: "new sale",
  rejection: "commission rejected",
  refund: "refund",
  payment: "commission paid",
  application: "new application",
  failing_endpoint: "webhook disabled",
}

const TEXTS: Record<string, (commission: Commission, event: NotedEvent) => NoticeText[]> = {
  "commission.created": (commission, event) => [
    toPartner(event, "sale", `You earned ${amountOf(commission)} for sale ${commission.sale_id}.`),
    toMembers(
      "sale",
      `Sale ${commission.transaction_id} earned its partner ${amountOf(commission)}.`,
    ),
  ],
  "commission.rejected": (commission, event) => [
    toPartner(
      event,
      "rejection",
      `${ownCommission(commission)} was rejected.${because(commission.rejection_reason)}`,
    ),
  ],
  "commission.refunded": refunded,
  "commission.reversed": refunded,
  "commission.paid": (commission, event) => [
    toPartner(event, "payment", `${ownCommission(commission)} was paid.`),
  ],
}

export const NOTED_TYPES = Object.keys(TEXTS)

/** The notices of an event. A partner does not learn the advertiser's transaction_id (behaviour 15.8.3). */
export const noticeTextsOf = (event: NotedEvent): NoticeText[] =>
  TEXTS[event.type]?.(event.data as Commission, event) ?? []

function refunded(commission: Commission, event: NotedEvent): NoticeText[] {
  const { sale_id, transaction_id } = commission
  const deducted =
    event.type === "commission.reversed"
      ? "Your commission was deducted in full."
      : "Part of your commission was deducted."
  const partner = toPartner(event, "refund", `Sale ${sale_id} was refunded. ${deducted}`)
  if (event.previous?.status !== "paid") return [partner]
  const warning = `Sale ${transaction_id} was refunded after its commission was paid. Please review it.`
  return [partner, toMembers("refund", warning)]
}

const toPartner = ({ partner_id }: NotedEvent, kind: NoticeKind, message: string): NoticeText => ({
  kind,
  partner_id,
  message,
})
const toMembers = (kind: NoticeKind, message: string): NoticeText => ({
  kind,
  partner_id: null,
  message,
})
const ownCommission = (commission: Commission) =>
  `Your commission of ${amountOf(commission)} for sale ${commission.sale_id}`
const amountOf = ({ amount_cents, currency }: Commission) => amountText(amount_cents, currency)
const because = (reason: string | null) => (reason ? ` Reason: ${reason}` : "")

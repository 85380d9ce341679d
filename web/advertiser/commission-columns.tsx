import type { Answer } from "../client"
import { Money } from "../parts/money"
import { Status, type Tone } from "../parts/status"
import type { Column } from "../parts/table"
import { dateText, When } from "../parts/when"
import { words } from "../words/en/commissions"

export type Commission = Answer<"listCommissions">["data"][number]

const TONES: Record<Commission["status"], Tone> = {
  pending: "warn",
  approved: "good",
  paid: "good",
  rejected: "bad",
  reversed: "bad",
  refunded: "warn",
}

export const columnsOf = (program_id: string): Column<Commission>[] => [
  {
    name: "sale",
    head: words.sale,
    cell: ({ sale_id, transaction_id }) => (
      <a href={`/programs/${program_id}/sales/${sale_id}`}>
        <bdi>{transaction_id}</bdi>
      </a>
    ),
  },
  {
    name: "partner",
    head: words.partner,
    cell: ({ partner_id, partner_name }) => (
      <a href={`/programs/${program_id}/partners/${partner_id}`}>
        <bdi>{partner_name}</bdi>
      </a>
    ),
  },
  {
    name: "amount",
    head: words.amount,
    isNumber: true,
    sort: "amount_cents",
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => <Status tone={TONES[status]} text={words.statuses[status]} />,
  },
  {
    name: "hold",
    head: words.hold,
    sort: "hold_ends_at",
    cell: ({ status, auto_approve, hold_ends_at }) =>
      status !== "pending" ? "–" : auto_approve ? dateText(hold_ends_at) : words.manual,
  },
  {
    name: "created",
    head: words.created,
    sort: "created_at",
    cell: ({ created_at }) => <When time={created_at} />,
  },
]

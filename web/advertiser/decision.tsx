import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import type { Answer } from "../client"
import { DecisionSteps } from "../decision/decision"
import { Money } from "../parts/money"
import { Screen } from "../parts/screen"
import { Loaded, Trouble } from "../parts/states"
import { type Column, Table } from "../parts/table"
import { When } from "../parts/when"
import { useMay } from "../session"
import { words } from "../words/en/decision-screen"
import { OtherCurrency } from "./other-currency"
import { Rejection } from "./rejection"

type Decision = Answer<"showDecision">["data"]
type Click = NonNullable<Decision["steps"][number]["facts"]["clicks"]>[number]
type Entry = Answer<"listCommissionEntries">["data"][number]

/** Why one sale was or was not paid: steps, clicks that competed, ledger, and what can be done. */
export default function DecisionOfSale() {
  const { params } = useAddress()
  const id = params.id!
  const sale_id = params.saleId
  const decision = useAnswer("showDecision", { params: { id }, query: { sale_id } })
  const shown = decision.data?.data
  const transaction_id = shown?.subject.transaction_id
  return (
    <Screen
      name="advertiser/decision"
      title={transaction_id ? words.titleOf(transaction_id) : undefined}
      actions={<a href={`/programs/${id}/commissions`}>{words.back}</a>}
    >
      <Loaded from={decision}>
        {shown && <Shown key={sale_id} program_id={id} decision={shown} />}
      </Loaded>
    </Screen>
  )
}

function Shown({ program_id, decision }: { program_id: string; decision: Decision }) {
  const { subject, steps } = decision
  const { clicks = [], other_clicks = 0 } =
    steps.find(({ rule }) => rule === "candidates")?.facts ?? {}
  return (
    <>
      <OtherCurrency sale_id={`${subject.sale_id}`} />
      <section class="card">
        <Earner program_id={program_id} {...subject} />
        <DecisionSteps decision={decision} />
        {subject.commission_id && (
          <Steps program_id={program_id} id={subject.commission_id} outcome={decision.outcome} />
        )}
      </section>
      {clicks.length > 0 && (
        <Table
          caption={words.clicks}
          columns={CLICK_COLUMNS}
          rows={clicks.map(click => ({ ...click, id: click.click_event_id }))}
        />
      )}
      {other_clicks > 0 && <p class="quiet-text">{words.otherClicks(other_clicks)}</p>}
      {subject.customer_key !== null && (
        <p>
          <a href={`/programs/${program_id}/customers/${encodeURIComponent(subject.customer_key)}`}>
            {words.journey}
          </a>
        </p>
      )}
      {subject.commission_id && <Ledger program_id={program_id} id={subject.commission_id} />}
    </>
  )
}

/** The partner that the sale belongs to, whether it earned or not. */
function Earner({ program_id, partner_id }: { program_id: string; partner_id: number }) {
  const params = { id: program_id, partnerId: partner_id }
  const partner = useAnswer("showPartner", { params }).data?.data
  return (
    <p>
      {words.partner}:{" "}
      <a href={`/programs/${program_id}/partners/${partner_id}`}>
        <bdi>{partner?.name ?? partner_id}</bdi>
      </a>
    </p>
  )
}

const CLICK_COLUMNS: Column<Click & { id: number }>[] = [
  { name: "at", head: words.click, cell: ({ at }) => <When time={at} /> },
  {
    name: "partner",
    head: words.partner,
    cell: ({ code, sub_id }) => <bdi>{sub_id === null ? code : `${code} · ${sub_id}`}</bdi>,
  },
  { name: "result", head: words.outcome, cell: ({ sentence }) => sentence },
]

const ENTRY_COLUMNS: Column<Entry>[] = [
  { name: "kind", head: words.entry, cell: ({ kind }) => words.kinds[kind] },
  { name: "at", head: words.at, cell: ({ at }) => <When time={at} /> },
  {
    name: "amount",
    head: words.amount,
    isNumber: true,
    cell: ({ legs, currency }) => (
      <Money
        cents={legs.find(({ account }) => account === "owed")?.amount_cents ?? null}
        currency={currency}
      />
    ),
  },
]

type OfCommission = { program_id: string; id: number }

function Ledger({ program_id, id }: OfCommission) {
  const params = { id: program_id, commissionId: id }
  const entries = useAnswer("listCommissionEntries", { params, query: { pageSize: 100 } })
  return (
    <Loaded from={entries}>
      <Table caption={words.ledger} columns={ENTRY_COLUMNS} rows={entries.data?.data ?? []} />
    </Loaded>
  )
}

/** What may be done with a commission that is not paid. */
function Steps({ program_id, id, outcome }: OfCommission & { outcome: Decision["outcome"] }) {
  const maySettle = useMay()("commission:settle")
  const [isRejecting, setRejecting] = useState(false)
  const approve = useStep("approveCommission", { isRepeatable: true })
  if (!maySettle || (outcome !== "pending" && outcome !== "payable")) return null
  return (
    <>
      <Trouble error={approve.error} isWrite />
      <div class="actions">
        {outcome === "pending" && (
          <button
            type="button"
            class="primary"
            disabled={approve.isBusy}
            onClick={() => approve.take({ params: { id: program_id, commissionId: id } })}
          >
            {words.approve}
          </button>
        )}
        <button type="button" class="danger" onClick={() => setRejecting(true)}>
          {words.reject}…
        </button>
      </div>
      {isRejecting && (
        <Rejection
          program_id={program_id}
          ids={[id]}
          onClose={() => setRejecting(false)}
          onDone={() => setRejecting(false)}
        />
      )}
    </>
  )
}

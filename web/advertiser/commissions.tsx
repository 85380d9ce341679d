import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer, useStep } from "../answers"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { Screen } from "../parts/screen"
import { Empty, Loaded, Trouble } from "../parts/states"
import { Pages, Table } from "../parts/table"
import { useMay } from "../session"
import { words } from "../words/en/commissions"
import { columnsOf } from "./commission-columns"
import { CommissionSums, sumText } from "./commission-sums"
import { OtherCurrencies } from "./other-currency"
import { Rejection, type Settled } from "./rejection"
import { useRowKeys } from "./row-keys"

const FILTERS = [
  "partner_id",
  "transaction_id",
  "dateFrom",
  "dateTo",
  "needs_approval",
  "other_currency",
] as const
const ROWS = 50
const APPROVALS: [value: string, text: string][] = [["true", words.needsApproval]]
const CURRENCIES: [value: string, text: string][] = [["true", words.otherCurrency]]

/** The review of commissions: by state, approved or rejected one by one or together. */
export default function Commissions() {
  const { params, query } = useAddress()
  const id = params.id!
  const filter = Object.fromEntries(FILTERS.map(name => [name, query[name]]))
  const { status, sort, page } = query
  const commissions = useAnswer("listCommissions", {
    params: { id },
    query: { ...filter, status, sort, page, pageSize: ROWS },
  })
  const sums = useAnswer("sumCommissions", { params: { id }, query: filter })
  const rows = commissions.data?.data ?? []
  const isNarrowed = Boolean(status) || FILTERS.some(name => query[name])

  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [isRejecting, setRejecting] = useState(false)
  const [settled, setSettled] = useState<Settled>()
  const selected = rows.filter(row => chosen.has(row.id))
  const settle = (done: Settled) => {
    setSettled(done)
    setChosen(new Set())
  }
  const approve = useStep("settleCommissions", {
    isRepeatable: true,
    onDone: ({ data }) => settle(data),
  })
  const toggle = (row: number) => {
    const next = new Set(chosen)
    if (!next.delete(row)) next.add(row)
    setChosen(next)
  }
  const ids = selected.map(row => row.id)
  const approveAll = (which: number[]) =>
    which.length > 0 && approve.take({ params: { id }, body: { action: "approve", ids: which } })

  const maySettle = useMay()("commission:settle")
  const current = useRowKeys(
    rows.map(row => row.id),
    maySettle
      ? {
          x: at => at && toggle(at),
          a: at => approveAll(ids.length > 0 ? ids : at ? [at] : []),
          r: at => {
            if (ids.length === 0 && at) toggle(at)
            if (ids.length > 0 || at) setRejecting(true)
          },
        }
      : {},
  )
  const nameOf = (row: number) => rows.find(each => each.id === row)?.transaction_id ?? `${row}`

  return (
    <Screen name="advertiser/commissions">
      <CommissionSums sums={sums.data?.data ?? []} />
      <Filters>
        <TextFilter name="transaction_id" label={words.transaction} type="search" />
        <TextFilter name="dateFrom" label={words.from} type="date" />
        <TextFilter name="dateTo" label={words.to} type="date" />
        <Choice name="needs_approval" label={words.approval} options={APPROVALS} />
        <Choice name="other_currency" label={words.currency} options={CURRENCIES} />
      </Filters>
      {query.other_currency === "true" && <OtherCurrencies />}
      {settled && <Outcome rows={settled} nameOf={nameOf} />}
      <Trouble error={approve.error} isWrite />
      <Loaded from={commissions}>
        {rows.length === 0 ? (
          <Empty title={isNarrowed ? words.nothing : words.empty}>
            {isNarrowed ? (
              <a href={`/programs/${id}/commissions`}>{words.clear}</a>
            ) : (
              <p>{words.emptyText}</p>
            )}
          </Empty>
        ) : (
          <Table
            caption={maySettle ? `${words.caption}. ${words.keys}` : words.caption}
            isTitled={!maySettle}
            columns={columnsOf(id)}
            rows={rows}
            isStale={commissions.isPlaceholderData}
            current={current}
            selection={
              maySettle
                ? {
                    ids: chosen,
                    toggle,
                    setAll: all => setChosen(new Set(all)),
                    labelOf: row => words.select(nameOf(row)),
                  }
                : undefined
            }
          />
        )}
        {commissions.data && <Pages meta={commissions.data.meta} />}
      </Loaded>
      {selected.length > 0 && (
        <section class="bulk" aria-live="polite">
          <p>{words.selected(selected.length, sumText(selected))}</p>
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={approve.isBusy}
              onClick={() => approveAll(ids)}
            >
              {words.approve(ids.length)}
            </button>
            <button type="button" class="danger" onClick={() => setRejecting(true)}>
              {words.reject(ids.length)}…
            </button>
          </div>
        </section>
      )}
      {isRejecting && ids.length > 0 && (
        <Rejection program_id={id} ids={ids} onClose={() => setRejecting(false)} onDone={settle} />
      )}
    </Screen>
  )
}

/** What became of each row of a step: refused ones with their sentence. */
function Outcome({ rows, nameOf }: { rows: Settled; nameOf(id: number): string }) {
  const refused = rows.filter(({ ok }) => !ok)
  return (
    <div class="outcome" role="status">
      <p>{words.done(rows.length - refused.length)}</p>
      {refused.length > 0 && (
        <>
          <p>{words.refused(refused.length)}</p>
          <ul>
            {refused.map(({ id, error }) => (
              <li key={id}>
                <bdi>{nameOf(id)}</bdi>: {error}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Select } from "../parts/field"
import { Filters } from "../parts/filters"
import { moneyText } from "../parts/money"
import { Empty, Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { Tile, Tiles } from "../parts/tiles"
import { dateText } from "../parts/when"
import { words } from "../words/en/partner-statement"
import { PartnerScreen } from "./partner-screen"
import { useJoinedProgram, usePlace } from "./place"

type Entry = Answer<"listPartnerLedger">["data"][number]

const changeOf = ({ legs }: Entry, account: string) =>
  legs.find(leg => leg.account === account)?.amount_cents ?? null

const COLUMNS: Column<Entry>[] = [
  { name: "at", head: words.at, cell: ({ at }) => dateText(at) },
  { name: "kind", head: words.what, cell: ({ kind }) => words.kinds[kind] },
  { name: "sale", head: words.sale, isNumber: true, cell: ({ sale_id }) => `${sale_id}` },
  {
    name: "owed",
    head: words.owedChange,
    isNumber: true,
    cell: entry => moneyText(changeOf(entry, "owed"), entry.currency),
  },
  {
    name: "paid",
    head: words.paidChange,
    isNumber: true,
    cell: entry => moneyText(changeOf(entry, "paid"), entry.currency),
  },
]

/** The ledger of a partner in one currency, to read and to print. */
export default function Statement() {
  const { query, change } = useAddress()
  const { of } = usePlace()
  const balances = useAnswer("showPartnerBalances", { query: of })
  const program = useJoinedProgram()
  const all = balances.data?.data ?? []
  const inOwn = all.find(({ currency }) => currency === program.data?.data.currency)
  const shown = query.currency ?? (inOwn ?? all[0])?.currency
  const print = (
    <button type="button" onClick={() => globalThis.print()}>
      {words.print}
    </button>
  )
  return (
    <PartnerScreen name="partner/statement" actions={all.length > 0 && print}>
      <p>{words.intro}</p>
      <Loaded from={program}>
        <Loaded from={balances}>
          {shown === undefined ? (
            <Empty title={words.empty}>
              <p>{words.emptyText}</p>
            </Empty>
          ) : (
            <>
              {all.length > 1 && (
                <Filters>
                  <Select
                    name="currency"
                    label={words.currency}
                    value={shown}
                    options={all.map(each => [each.currency, each.currency])}
                    onChange={value => change({ currency: value })}
                  />
                </Filters>
              )}
              <Totals balance={all.find(each => each.currency === shown)} />
              <Entries currency={shown} />
            </>
          )}
        </Loaded>
      </Loaded>
    </PartnerScreen>
  )
}

function Totals({ balance }: { balance?: Answer<"showPartnerBalances">["data"][number] }) {
  if (!balance) return null
  const { currency, owed_cents, paid_cents, earned_cents } = balance
  return (
    <Tiles>
      <Tile name={words.owed} value={moneyText(owed_cents, currency)} />
      <Tile name={words.paid} value={moneyText(paid_cents, currency)} />
      <Tile name={words.earned} value={moneyText(earned_cents, currency)} />
    </Tiles>
  )
}

function Entries({ currency }: { currency: string }) {
  const { query } = useAddress()
  const { of } = usePlace()
  const entries = useAnswer("listPartnerLedger", {
    query: { ...of, currency, page: query.page, pageSize: 50 },
  })
  return (
    <Loaded from={entries}>
      <Table
        caption={words.caption(currency)}
        columns={COLUMNS}
        rows={entries.data?.data ?? []}
        isStale={entries.isPlaceholderData}
      />
      {entries.data && <Pages meta={entries.data.meta} />}
    </Loaded>
  )
}

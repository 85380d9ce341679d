import { useRef, useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { countText, Money, moneyText } from "../parts/money"
import { Screen } from "../parts/screen"
import { useSelection } from "../parts/selection"
import { Empty, Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { Tile, Tiles } from "../parts/tiles"
import { dateText } from "../parts/when"
import { useMay, useProgram, useProgramId } from "../session"
import { words } from "../words/en/partners"
import { AddPartner } from "./partners/add"
import { BulkBar } from "./partners/bulk"
import { useGroupNames } from "./partners/group-names"
import { type Partner, TONES } from "./partners/partner-status"

type Row = Partner & { id: number }

const PAGE_SIZE = 50

const columnsOf = (
  program_id: number,
  currency: string,
  groups: [string, string][],
): Column<Row>[] => [
  {
    name: "name",
    head: words.name,
    sort: "name",
    cell: ({ id, name }) => <a href={`/programs/${program_id}/partners/${id}`}>{name}</a>,
  },
  { name: "email", head: words.email, cell: ({ email }) => email },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => <Status tone={TONES[status]} text={words.statuses[status]} />,
  },
  { name: "account", head: words.account, cell: ({ account }) => words.accounts[account] },
  {
    name: "group",
    head: words.group,
    cell: ({ group_id }) => groups.find(([id]) => id === `${group_id}`)?.[1] ?? "–",
  },
  {
    name: "clicks",
    head: words.clicks,
    isNumber: true,
    sort: "clicks",
    cell: ({ clicks }) => countText(clicks),
  },
  {
    name: "balance",
    head: words.balance,
    isNumber: true,
    sort: "balance_cents",
    cell: ({ balance_cents }) => <Money cents={balance_cents} currency={currency} />,
  },
  {
    name: "since",
    head: words.since,
    sort: "created_at",
    cell: ({ created_at }) => dateText(created_at),
  },
]

/** The partners of a program: who they are, what they bring, and what many of them need at once. */
export default function Partners() {
  const { query, path } = useAddress()
  const may = useMay()
  const id = useProgramId()!
  const currency = useProgram()?.currency ?? "USD"
  const groups = useGroupNames(id)
  const [isAdding, setAdding] = useState(false)
  const { page, status, search, group_id, sort } = query
  const partners = useAnswer("listPartners", {
    params: { id },
    query: { page, status, search, group_id, sort, pageSize: PAGE_SIZE },
  })
  const list = partners.data
  const rows = (list?.data ?? []).map(partner => ({ ...partner, id: partner.partner_id }))
  const names = useRef(new Map<number, string>()).current // also of pages that were left
  for (const { id, name } of rows) names.set(id, name)
  const nameOf = (id: number) => names.get(id) ?? `${id}`
  const selection = useSelection(id => words.select(nameOf(id)))
  const isFiltered = Boolean(status || search || group_id)
  const add = may("program:update") && (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      {words.add}
    </button>
  )

  return (
    <Screen name="advertiser/partners" actions={add}>
      {isAdding && <AddPartner groups={groups} onClose={() => setAdding(false)} />}
      <Filters>
        <TextFilter name="search" label={words.search} type="search" />
        <Choice name="status" label={words.status} options={Object.entries(words.statuses)} />
        <Choice name="group_id" label={words.group} options={groups} />
      </Filters>
      {may("program:update") && (
        <BulkBar selection={selection} groups={groups} nameOf={nameOf} onDone={selection.clear} />
      )}
      <Loaded from={partners}>
        {list && <Sums meta={list.meta} />}
        {list?.meta.pagination.total === 0 ? (
          isFiltered ? (
            <Empty title={words.none}>
              <a href={path}>{words.clear}</a>
            </Empty>
          ) : (
            <Empty title={words.empty}>
              <p>{words.emptyText}</p>
              {add}
            </Empty>
          )
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={columnsOf(id, currency, groups)}
              rows={rows}
              isStale={partners.isPlaceholderData}
              selection={may("program:update") ? selection : undefined}
            />
            {list && <Pages meta={list.meta} />}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

/** What all pages of the list add up to. */
function Sums({ meta }: { meta: Answer<"listPartners">["meta"] }) {
  const { hrefWith } = useAddress()
  const { statuses, balances = [] } = meta
  return (
    <Tiles>
      {(["approved", "suspended", "removed"] as const).map(status => (
        <Tile
          key={status}
          name={words.statuses[status]}
          value={countText(statuses?.[status] ?? 0)}
          href={hrefWith({ status })}
        />
      ))}
      {balances.map(({ currency, balance_cents }) => (
        <Tile
          key={currency}
          name={words.owed(currency)}
          value={moneyText(balance_cents, currency)}
        />
      ))}
    </Tiles>
  )
}

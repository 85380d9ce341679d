import { useAddress } from "../address"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { countText } from "../parts/money"
import { Empty, Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/deliveries"
import type { Delivery, TypeNames } from "./delivery"
import { DeliveryState, outcomeText } from "./outcome"

const PAGE_SIZE = 50
const FILTERS = ["status", "type", "since", "until"] as const

/** What the address narrows the deliveries to, as the API takes it. */
export function useDeliveryQuery() {
  const { query } = useAddress()
  const filters = Object.fromEntries(FILTERS.map(name => [name, query[name]]))
  return { ...filters, page: query.page, pageSize: PAGE_SIZE }
}

type Listed = {
  data?: { data: Delivery[]; meta: Parameters<typeof Pages>[0]["meta"] }
  error: Error | null
  isPlaceholderData: boolean
  refetch(): unknown
}

/** The deliveries to a receiver, newest first. Each leads to its details, which the address names. */
export function Deliveries({ from, types }: { from: Listed; types: TypeNames }) {
  const { query } = useAddress()
  const columns = useColumns(types)
  const isFiltered = FILTERS.some(name => query[name])
  return (
    <>
      <Filters>
        <Choice name="status" label={words.status} options={Object.entries(words.statuses)} />
        <Choice name="type" label={words.event} options={Object.entries(types)} />
        <TextFilter name="since" label={words.since} type="date" />
        <TextFilter name="until" label={words.until} type="date" />
      </Filters>
      <Loaded from={from}>
        {from.data?.meta.pagination.total === 0 ? (
          <Empty title={isFiltered ? words.noneSuch : words.empty}>
            <p>{isFiltered ? words.noneSuchText : words.emptyText}</p>
          </Empty>
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={columns}
              rows={from.data?.data ?? []}
              isStale={from.isPlaceholderData}
            />
            {from.data && <Pages meta={from.data.meta} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function useColumns(types: TypeNames): Column<Delivery>[] {
  const { query, hrefWith } = useAddress()
  return [
    {
      name: "event",
      head: words.event,
      cell: ({ id, type }) => (
        <a href={hrefWith({ delivery: id, page: query.page })}>{types[type] ?? type}</a>
      ),
    },
    { name: "when", head: words.when, cell: ({ created_at }) => <When time={created_at} /> },
    { name: "status", head: words.status, cell: ({ status }) => <DeliveryState status={status} /> },
    {
      name: "attempts",
      head: words.attempts,
      isNumber: true,
      cell: ({ attempts }) => countText(attempts.length),
    },
    {
      name: "last",
      head: words.lastAnswer,
      cell: ({ attempts }) => {
        const last = attempts.at(-1)
        return last ? outcomeText(last) : words.notYet
      },
    },
    {
      name: "next",
      head: words.next,
      cell: ({ next_attempt_at }) =>
        next_attempt_at === null ? words.none : <When time={next_attempt_at} />,
    },
  ]
}

import { useAnswer } from "../answers"
import { type Answer, addressOf } from "../client"
import { Bar } from "../parts/bar"
import { countText, majorText, percentText } from "../parts/money"
import { Loaded } from "../parts/states"
import { type Column, Table } from "../parts/table"
import { words } from "../words/en/overview"

const ROWS = 5

type Row = Answer<"showBreakdown">["data"][number] & { id: string }

/** The partners with the most revenue in the period. Each bar leads to the partner's events. */
export function TopPartners({
  programId,
  period,
  currency,
  revenue,
}: {
  programId: number
  period: string
  currency: string
  /** Of all partners in the period: the whole that the shares are parts of. */
  revenue: number
}) {
  const params = { programId }
  const by = { by: "partner", sort: "revenue", period } as const
  const top = useAnswer("showBreakdown", { params, query: { ...by, pageSize: ROWS } })
  const rows = top.data?.data.map(row => ({ ...row, id: `${row.value}` })) ?? []
  const shareOf = (row: Row) => (revenue > 0 ? Math.min(row.revenue / revenue, 1) : 0)
  const range = top.data && rangeOf(top.data.meta)
  const eventsOf = ({ value }: Row) => `/programs/${programId}/events?partner_id=${value}&${range}`

  const columns: Column<Row>[] = [
    {
      name: "partner",
      head: words.partner,
      cell: ({ value, label }) =>
        value === null ? (
          words.unknown
        ) : (
          <a href={`/programs/${programId}/partners/${value}`}>{label ?? value}</a>
        ),
    },
    {
      name: "share",
      head: words.share,
      cell: row => (
        <a class="bar-link" href={eventsOf(row)}>
          <span class="visually-hidden">{words.events}</span>
          <Bar share={shareOf(row)} />
          <span>{percentText(shareOf(row) * 100)}</span>
        </a>
      ),
    },
    {
      name: "revenue",
      head: words.revenue,
      isNumber: true,
      cell: ({ revenue }) => majorText(revenue, currency),
    },
    {
      name: "conversions",
      head: words.conversions,
      isNumber: true,
      cell: ({ conversions }) => countText(conversions),
    },
    { name: "clicks", head: words.clicks, isNumber: true, cell: ({ clicks }) => countText(clicks) },
  ]
  return (
    <section class="stack">
      <header class="screen-head">
        <h2>{words.top}</h2>
        <a download href={addressOf("showBreakdown", { params, query: { ...by, format: "csv" } })}>
          {words.csv}
        </a>
      </header>
      <Loaded from={top}>
        <Table
          caption={words.topCaption}
          isTitled
          columns={columns}
          rows={rows}
          isStale={top.isPlaceholderData}
        />
      </Loaded>
    </section>
  )
}

const rangeOf = ({ dateFrom, dateTo }: { dateFrom: string; dateTo: string }) =>
  `dateFrom=${dateFrom.slice(0, 10)}&dateTo=${dateTo.slice(0, 10)}`

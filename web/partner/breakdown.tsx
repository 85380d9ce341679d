import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Select } from "../parts/field"
import { Filters } from "../parts/filters"
import { countText, majorText, percentText } from "../parts/money"
import { Empty, Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { words } from "../words/en/partner-numbers"
import { usePlace } from "./place"

const DIMENSIONS = Object.entries(words.dimensions)

type Dimension = keyof typeof words.dimensions
type Row = Answer<"showOwnBreakdown">["data"][number]

/** The numbers of a period by link, sub id and so on. */
export function Breakdown({ period, currency }: { period: string; currency: string }) {
  const { query, change } = useAddress()
  const { programId, view } = usePlace()
  const by = chosen(words.dimensions, query.by) ?? "link"
  const breakdown = useAnswer("showOwnBreakdown", {
    params: { programId },
    query: { ...view, period, by, page: query.page, pageSize: 50 },
  })
  const rows = breakdown.data?.data.map(row => ({ ...row, id: `${row.value}` })) ?? []
  return (
    <section class="stack">
      <Filters>
        <Select
          name="by"
          label={words.by}
          value={by}
          options={DIMENSIONS}
          onChange={value => change({ by: value })}
        />
      </Filters>
      <Loaded from={breakdown}>
        {rows.length === 0 ? (
          <Empty title={words.noneYet}>
            <p>{words.noneYetText}</p>
          </Empty>
        ) : (
          <Table
            caption={words.caption(words.dimensions[by].toLowerCase())}
            columns={columnsOf(by, currency)}
            rows={rows}
            isStale={breakdown.isPlaceholderData}
          />
        )}
        {breakdown.data && <Pages meta={breakdown.data.meta} />}
      </Loaded>
    </section>
  )
}

function columnsOf(by: Dimension, currency: string): Column<Row & { id: string }>[] {
  const none = by === "sub_id" ? words.none : words.noneKept
  const count = (name: "clicks" | "leads" | "conversions", head: string) => ({
    name,
    head,
    isNumber: true as const,
    cell: (row: Row) => countText(row[name]),
  })
  return [
    {
      name: "value",
      head: words.dimensions[by],
      cell: ({ label, value }) => <bdi>{label ?? value ?? none}</bdi>,
    },
    count("clicks", words.clicks),
    count("leads", words.leads),
    count("conversions", words.conversions),
    {
      name: "rate",
      head: words.rate,
      isNumber: true,
      cell: ({ conversionRate }) => percentText(conversionRate),
    },
    {
      name: "earned",
      head: words.earned,
      isNumber: true,
      cell: ({ commission, otherCurrencies }) =>
        [majorText(commission, currency), otherText(otherCurrencies)].filter(Boolean).join(" + "),
    },
  ]
}

/** The name that the address chooses, if it is one of these. */
export const chosen = <Name extends string>(all: Record<Name, string>, text: string | undefined) =>
  text !== undefined && Object.hasOwn(all, text) ? (text as Name) : undefined

/** "3.00 EUR, 300 JPY": amounts that are in no sum. */
export const otherText = (others: { currency: string; commission: number }[]) =>
  others.map(({ currency, commission }) => majorText(commission, currency)).join(", ")

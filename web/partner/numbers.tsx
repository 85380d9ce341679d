import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Chart } from "../parts/chart"
import { Select } from "../parts/field"
import { Filters } from "../parts/filters"
import { countText, majorText, percentText } from "../parts/money"
import { Empty, Freshness, Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { Tile, Tiles } from "../parts/tiles"
import { words } from "../words/en/partner-numbers"
import { PartnerScreen } from "./partner-screen"
import { useJoinedProgram, usePlace } from "./place"

const PERIODS = Object.entries(words.periods)
const DIMENSIONS = Object.entries(words.dimensions)

type Period = keyof typeof words.periods
type Dimension = keyof typeof words.dimensions

const chosen = <Name extends string>(all: Record<Name, string>, text: string | undefined) =>
  text !== undefined && Object.hasOwn(all, text) ? (text as Name) : undefined

/** A partner's part of the program's numbers: totals, days, and by link, sub id and so on. */
export default function Numbers() {
  const { query, change } = useAddress()
  const period = chosen(words.periods, query.period) ?? "30d"
  const program = useJoinedProgram()
  const currency = program.data?.data.currency
  return (
    <PartnerScreen name="partner/numbers">
      <Filters>
        <Select
          name="period"
          label={words.period}
          value={period}
          options={PERIODS}
          onChange={value => change({ period: value })}
        />
      </Filters>
      <Loaded from={program}>
        {currency && <Totals period={period} currency={currency} />}
        {currency && <Breakdown period={period} currency={currency} />}
      </Loaded>
      <p class="quiet-text">{words.definitions}</p>
    </PartnerScreen>
  )
}

type Shown = { period: Period; currency: string }

function Totals({ period, currency }: Shown) {
  const { programId, view } = usePlace()
  const query = { ...view, period }
  const performance = useAnswer("showOwnPerformance", { params: { programId }, query })
  const { data: days = [], metrics, meta } = performance.data ?? {}
  const amount = (value: number) => majorText(value, currency)
  const dates = days.map(({ date }) => date)
  return (
    <Loaded from={performance}>
      <Freshness until={meta?.appliedUntil} />
      {metrics && (
        <Tiles>
          <Tile
            name={words.clicks}
            value={countText(metrics.totalClicks)}
            change={changeOf(metrics.clicksTrend)}
          />
          <Tile
            name={words.leads}
            value={countText(metrics.totalLeads)}
            change={changeOf(metrics.leadsTrend)}
          />
          <Tile
            name={words.conversions}
            value={countText(metrics.totalConversions)}
            change={changeOf(metrics.conversionsTrend)}
          />
          <Tile
            name={words.sales}
            value={countText(metrics.totalSales)}
            change={changeOf(metrics.salesTrend)}
          />
          <Tile name={words.rate} value={percentText(metrics.conversionRate)} />
          <Tile
            name={words.earned}
            value={amount(metrics.totalPartnersCommission)}
            change={changeOf(metrics.commissionTrend)}
          />
        </Tiles>
      )}
      {meta && meta.otherCurrencies.length > 0 && (
        <p>{words.other(otherText(meta.otherCurrencies))}</p>
      )}
      <Chart
        caption={words.chartClicks}
        days={dates}
        isLastUnfinished
        lines={[
          { name: words.clicks, values: days.map(({ clicks }) => clicks), textOf: countText },
        ]}
      />
      <Chart
        caption={words.chartEarned}
        days={dates}
        isLastUnfinished
        lines={[
          { name: words.earned, values: days.map(({ commission }) => commission), textOf: amount },
        ]}
      />
    </Loaded>
  )
}

type Metrics = Answer<"showOwnPerformance">["metrics"]

const changeOf = ({ trend, trendDirection }: Metrics["clicksTrend"]) => ({
  percent: trend,
  direction: trendDirection,
})

const otherText = (others: { currency: string; commission: number }[]) =>
  others.map(({ currency, commission }) => majorText(commission, currency)).join(", ")

type Row = Answer<"showOwnBreakdown">["data"][number]

function Breakdown({ period, currency }: Shown) {
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

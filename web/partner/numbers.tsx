import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Chart } from "../parts/chart"
import { Select } from "../parts/field"
import { Filters } from "../parts/filters"
import { countText, majorText, percentText, shortText } from "../parts/money"
import { Freshness, Loaded } from "../parts/states"
import { Tile, Tiles } from "../parts/tiles"
import { words } from "../words/en/partner-numbers"
import { Breakdown, chosen, otherText } from "./breakdown"
import { PartnerScreen } from "./partner-screen"
import { useJoinedProgram, usePlace } from "./place"

const PERIODS = Object.entries(words.periods)

type Period = keyof typeof words.periods

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
        caption={words.chartEarned(currency)}
        days={dates}
        isLastUnfinished
        lines={[
          {
            name: words.earned,
            values: days.map(({ commission }) => commission),
            textOf: amount,
            axisTextOf: shortText,
          },
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

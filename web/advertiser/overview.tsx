import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Choice, Filters } from "../parts/filters"
import { countText, majorText, percentText, shortText } from "../parts/money"
import { Screen } from "../parts/screen"
import { Empty, Freshness, Loaded } from "../parts/states"
import { type Change, Tile, Tiles } from "../parts/tiles"
import { dayText } from "../parts/when"
import { useMay, useProgram, useProgramId } from "../session"
import { words } from "../words/en/overview"
import { Attention } from "./attention"
import { DaysChart } from "./days-chart"
import { OtherCurrencyLink } from "./other-currency"
import { TopPartners } from "./top-partners"

export const PERIOD = "30d"
const PERIODS = Object.entries(words.periods).filter(([period]) => period !== PERIOD)

export type Performance = Answer<"showPerformance">

/** What a program did in a period, compared with the one before. */
export default function Overview() {
  const { query } = useAddress()
  const programId = useProgramId()!
  const program = useProgram()
  const may = useMay()
  const period = query.period ?? PERIOD
  const performance = useAnswer("showPerformance", { params: { programId }, query: { period } })
  const shown = performance.data
  const isEmpty = shown?.meta.period === "all" && shown.metrics.totalClicks === 0
  return (
    <Screen name="advertiser/overview" title={program?.name}>
      {may("commission:read") && <Attention programId={programId} />}
      <Filters>
        <Choice
          name="period"
          label={words.period}
          any={words.defaultPeriod}
          options={PERIODS as [string, string][]}
        />
      </Filters>
      <Loaded from={performance}>
        {isEmpty ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
            <a class="button primary" href={`/programs/${programId}/first-run`}>
              {words.start}
            </a>
          </Empty>
        ) : (
          shown &&
          program && (
            <div class="stack" aria-busy={performance.isPlaceholderData}>
              <Numbers performance={shown} currency={program.currency} programId={programId} />
              <DaysChart performance={shown} currency={program.currency} />
              <Freshness until={shown.meta.appliedUntil} />
            </div>
          )
        )}
      </Loaded>
      {may("tracking:list") && shown && program && !isEmpty && (
        <TopPartners
          programId={programId}
          period={period}
          currency={program.currency}
          revenue={shown.metrics.totalRevenue}
        />
      )}
    </Screen>
  )
}

type Numbered = { performance: Performance; currency: string; programId: number }

/** The six numbers of the period, with their change. All time has no period before. */
function Numbers({ performance: { metrics, meta }, currency, programId }: Numbered) {
  const { dateFrom, dateTo } = meta.previousPeriod
  const hasBefore = meta.period !== "all"
  const changeOf = ({ trend, trendDirection }: typeof metrics.clicksTrend): Change | undefined =>
    hasBefore ? { percent: trend, direction: trendDirection } : undefined
  const range = `dateFrom=${meta.dateFrom.slice(0, 10)}&dateTo=${meta.dateTo.slice(0, 10)}`
  const eventsOf = (type: string) => `/programs/${programId}/events?eventType=${type}&${range}`
  const { tiles } = words
  return (
    <>
      <Tiles>
        <Tile
          name={tiles.clicks}
          {...counted(metrics.totalClicks)}
          change={changeOf(metrics.clicksTrend)}
          href={eventsOf("click")}
        />
        <Tile
          name={tiles.leads}
          {...counted(metrics.totalLeads)}
          change={changeOf(metrics.leadsTrend)}
          href={eventsOf("lead")}
        />
        <Tile
          name={tiles.conversions}
          {...counted(metrics.totalConversions)}
          change={changeOf(metrics.conversionsTrend)}
          href={eventsOf("conversion")}
        />
        <Tile
          name={tiles.revenue}
          value={majorText(metrics.totalRevenue, currency)}
          change={changeOf(metrics.revenueTrend)}
        />
        <Tile
          name={tiles.commission}
          value={majorText(metrics.totalPartnersCommission, currency)}
          change={changeOf(metrics.commissionTrend)}
          href={`/programs/${programId}/commissions`}
        />
        <Tile name={tiles.rate} value={percentText(metrics.conversionRate)} />
      </Tiles>
      <p class="quiet-text">
        {hasBefore
          ? words.compared(dayText(dateFrom.slice(0, 10)), dayText(dateTo.slice(0, 10)))
          : words.whole}
      </p>
      {meta.otherCurrencies.length > 0 && (
        <p class="quiet-text">
          {words.others(othersText(meta.otherCurrencies))}{" "}
          <OtherCurrencyLink programId={programId} />
        </p>
      )}
    </>
  )
}

const counted = (count: number) => ({ value: shortText(count), full: countText(count) })

const othersText = (others: Performance["meta"]["otherCurrencies"]) =>
  others
    .map(({ currency, revenue, commission }) =>
      words.other(majorText(revenue, currency), majorText(commission, currency)),
    )
    .join("; ")

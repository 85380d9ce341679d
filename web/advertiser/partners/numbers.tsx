import { useAddress } from "../../address"
import { useAnswer } from "../../answers"
import { Chart } from "../../parts/chart"
import { Choice, Filters } from "../../parts/filters"
import { countText, majorText, shortText } from "../../parts/money"
import { Freshness, Loaded } from "../../parts/states"
import { type Change, Tile, Tiles } from "../../parts/tiles"
import { useProgram, useProgramId } from "../../session"
import { words } from "../../words/en/one-partner"

type Trend = { trend: number; trendDirection: Change["direction"] }

const changeOf = ({ trend, trendDirection }: Trend): Change => ({
  percent: trend,
  direction: trendDirection,
})

/** What a partner brought in a period, against the period before. */
export function PartnerNumbers({ partner_id }: { partner_id: number }) {
  const { query } = useAddress()
  const id = useProgramId()!
  const currency = useProgram()?.currency ?? "USD"
  const period = query.period ?? "30d"
  const performance = useAnswer("showPartnerPerformance", {
    params: { id, partnerId: partner_id },
    query: { period },
  })
  const shown = performance.data
  const metrics = shown?.metrics
  const money = (amount: number) => majorText(amount, currency)

  return (
    <section>
      <h2>{words.numbers}</h2>
      <Filters>
        <Choice
          name="period"
          label={words.period}
          any={words.periods["30d"]}
          options={Object.entries(words.periods).filter(([value]) => value !== "30d")}
        />
      </Filters>
      <Loaded from={performance}>
        {shown && metrics && (
          <>
            <Tiles>
              <Count name={words.clicks} value={metrics.totalClicks} trend={metrics.clicksTrend} />
              <Count name={words.leads} value={metrics.totalLeads} trend={metrics.leadsTrend} />
              <Count
                name={words.conversions}
                value={metrics.totalConversions}
                trend={metrics.conversionsTrend}
              />
              <Count name={words.sales} value={metrics.totalSales} trend={metrics.salesTrend} />
              <Tile
                name={words.revenue}
                value={money(metrics.totalRevenue)}
                change={changeOf(metrics.revenueTrend)}
              />
              <Tile
                name={words.commission}
                value={money(metrics.totalPartnersCommission)}
                change={changeOf(metrics.commissionTrend)}
              />
            </Tiles>
            <Chart
              caption={words.chart}
              days={shown.data.map(({ date }) => date)}
              isLastUnfinished
              lines={[
                {
                  name: words.clicks,
                  values: shown.data.map(({ clicks }) => clicks),
                  textOf: countText,
                },
                {
                  name: words.conversions,
                  values: shown.data.map(({ conversions }) => conversions),
                  textOf: countText,
                },
              ]}
            />
            <Freshness until={shown.meta.appliedUntil} />
          </>
        )}
      </Loaded>
    </section>
  )
}

const Count = ({ name, value, trend }: { name: string; value: number; trend: Trend }) => (
  <Tile name={name} value={shortText(value)} full={countText(value)} change={changeOf(trend)} />
)

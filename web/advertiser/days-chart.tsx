import { useMemo } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Chart, type Line } from "../parts/chart"
import { Choice, Filters } from "../parts/filters"
import { countText, majorText, shortText } from "../parts/money"
import { useProgramId } from "../session"
import { words } from "../words/en/overview"
import type { Performance } from "./overview"

const METRICS = ["clicks", "leads", "conversions", "revenue", "commission"] as const
type Metric = (typeof METRICS)[number]
const FIRST: Metric = "clicks"

/** One number of each day, and of the same day of the period before. */
export function DaysChart({
  performance: { data, meta },
  currency,
}: {
  performance: Performance
  currency: string
}) {
  const { query } = useAddress()
  const programId = useProgramId()!
  const metric = METRICS.find(each => each === query.metric) ?? FIRST
  const hasBefore = meta.period !== "all"
  const before = useAnswer(
    "showPerformance",
    { params: { programId }, query: meta.previousPeriod },
    { isEnabled: hasBefore },
  )
  const beforeDays = before.isPlaceholderData ? undefined : before.data?.data

  const name = words.tiles[metric]
  const isMoney = metric === "revenue" || metric === "commission"
  const days = useMemo(() => data.map(({ date }) => date), [data])
  const lines = useMemo(() => {
    const textOf = (value: number) => (isMoney ? majorText(value, currency) : countText(value))
    const axisTextOf = isMoney ? shortText : countText
    const values = data.map(day => day[metric])
    const lines: Line[] = [{ name, values, textOf, axisTextOf }]
    if (hasBefore && beforeDays) {
      const values = beforeDays.map(day => day[metric])
      lines.push({ name: words.before, values, textOf, isBefore: true })
    }
    return lines
  }, [data, beforeDays, metric, currency])
  return (
    <>
      <Filters>
        <Choice
          name="metric"
          label={words.show}
          any={words.tiles[FIRST]}
          options={METRICS.slice(1).map(each => [each, words.tiles[each]])}
        />
      </Filters>
      <Chart
        caption={isMoney ? words.inCurrency(name, currency) : name}
        days={days}
        lines={lines}
        isLastUnfinished
      />
    </>
  )
}

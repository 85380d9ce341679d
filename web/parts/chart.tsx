import { useState } from "preact/hooks"
import { words } from "../words/en/chart"
import { DASHES, dashOf, UNFINISHED } from "./dashes"
import { Plot } from "./plot"
import { type Column, Table } from "./table"
import { dayText } from "./when"

export type Line = {
  name: string
  values: number[]
  /** How a value reads when it is read and in the table. */
  textOf(value: number): string
  /** How it reads at the axis, where there is little room. */
  axisTextOf?(value: number): string
  /** The period before: thin and quiet. */
  isBefore?: true
}

/**
 * Lines over days, from zero. The unfinished day is dashed. The arrow keys move the reading line,
 * whose values are announced. "As table" shows the same numbers.
 */
export function Chart({
  caption,
  days,
  lines,
  isLastUnfinished = false,
}: {
  caption: string
  days: string[]
  lines: Line[]
  isLastUnfinished?: boolean
}) {
  const [isTable, setTable] = useState(false)
  const [read, setRead] = useState<number | null>(null)
  return (
    <figure class="card chart">
      <figcaption>
        <span>{caption}</span>
        <button
          type="button"
          class="plain"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {words.asTable}
        </button>
      </figcaption>
      {isTable ? (
        <DaysAsTable caption={caption} days={days} lines={lines} />
      ) : (
        <>
          <Legend lines={lines} isLastUnfinished={isLastUnfinished} />
          <Plot {...{ days, lines, isLastUnfinished, read, onRead: setRead }} />
          <p class="reading" aria-live="polite">
            {read !== null && days[read] && readingOf(days[read], read, lines)}
          </p>
        </>
      )}
    </figure>
  )
}

/** What each line is, drawn as in the chart. */
function Legend({ lines, isLastUnfinished }: { lines: Line[]; isLastUnfinished: boolean }) {
  return (
    <ul class="legend">
      {lines.map(({ name, isBefore }, i) => (
        <li key={name}>
          <Sample line={isBefore ? "before" : `${i % DASHES.length}`} dash={dashOf(lines[i]!, i)} />
          {name}
        </li>
      ))}
      {isLastUnfinished && (
        <li>
          <Sample line="0" dash={UNFINISHED} />
          {words.unfinished}
        </li>
      )}
    </ul>
  )
}

const Sample = ({ line, dash }: { line: string; dash: number[] }) => (
  <svg width="24" height="8" aria-hidden="true">
    <line class={`line-${line}`} x2="24" y1="4" y2="4" stroke-dasharray={dash.join(" ")} />
  </svg>
)

const readingOf = (day: string, at: number, lines: Line[]) =>
  `${dayText(day)}: ${lines.map(({ name, values, textOf }) => `${name} ${textOf(values[at] ?? 0)}`).join(", ")}`

type Day = { id: string; at: number }

function DaysAsTable({ caption, days, lines }: { caption: string; days: string[]; lines: Line[] }) {
  const columns: Column<Day>[] = [
    { name: "day", head: words.day, cell: ({ id }) => dayText(id) },
    ...lines.map(({ name, values, textOf }) => ({
      name,
      head: name,
      isNumber: true as const,
      cell: ({ at }: Day) => textOf(values[at] ?? 0),
    })),
  ]
  return (
    <Table caption={caption} isTitled columns={columns} rows={days.map((id, at) => ({ id, at }))} />
  )
}

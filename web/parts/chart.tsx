import { useState } from "preact/hooks"
import { words } from "../words/en/chart"
import { Plot } from "./plot"
import { type Column, Table } from "./table"
import { dayText } from "./when"

export type Line = {
  name: string
  values: number[]
  /** How a value reads in the tooltip, the axis and the table. */
  textOf(value: number): string
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
          <Plot {...{ days, lines, isLastUnfinished, read, onRead: setRead }} />
          <p class="reading" aria-live="polite">
            {read !== null && days[read] && readingOf(days[read], read, lines)}
          </p>
        </>
      )}
    </figure>
  )
}

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
  return <Table caption={caption} columns={columns} rows={days.map((id, at) => ({ id, at }))} />
}

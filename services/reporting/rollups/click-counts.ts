import type { Transaction } from "../../../lib/db/database"
import { relation } from "../../../lib/db/relation"
import type { ClickRow } from "../../tracking/contract"
import { DIMENSION_COLUMNS } from "./daily-breakdown"

const hourRelation = relation<Period>({
  program_id: "bigint",
  starts: "timestamptz",
  clicks: "bigint",
})
const dayRelation = relation<Period>({ program_id: "bigint", starts: "date", clicks: "bigint" })
const valueRelation = relation<ValueCount>({
  program_id: "bigint",
  dimension: "text",
  value: "text",
  starts: "date",
  clicks: "bigint",
})

/**
 * Adds clicks to the hourly, daily and breakdown counts. They are counted here because PostgreSQL
 * would have to group all rows by each of seven dimensions, and many clicks make few counts.
 */
export async function addClickCounts(sql: Transaction, rows: ClickRow[]) {
  const byHour = periodsOf(rows, row => `${row.click_timestamp.slice(0, 13)}:00Z`)
  const byDay = periodsOf(rows, row => row.click_timestamp.slice(0, 10))
  const byValue = byDay.flatMap(countValues)

  await sql`
    with
    counted_by_hour as (
      insert into hourly (program_id, hour, clicks)
      select program_id, starts, clicks
      from ${hourRelation(sql, byHour)} as count
      on conflict (program_id, hour) do update
      set clicks = hourly.clicks + excluded.clicks
    ),
    counted_by_day as (
      insert into daily (program_id, day, clicks)
      select program_id, starts, clicks
      from ${dayRelation(sql, byDay)} as count
      on conflict (program_id, day) do update
      set clicks = daily.clicks + excluded.clicks
    )
    insert into daily_breakdown as kept (program_id, dimension, value, day, currency, clicks)
    select program_id, dimension, value, starts, '', clicks
    from ${valueRelation(sql, byValue)} as count
    on conflict (program_id, dimension, value, day, currency) do update
    set clicks = kept.clicks + excluded.clicks
  `
}

type Period = { program_id: number; starts: string; clicks: number; rows: ClickRow[] }

/** Groups clicks by program and period. `startOf` returns the start of a click's period. */
function periodsOf(rows: ClickRow[], startOf: (row: ClickRow) => string): Period[] {
  const periods = new Map<string, Period>()
  for (const row of rows) {
    const { program_id } = row
    const starts = startOf(row)
    const key = `${program_id} ${starts}`
    const period = periods.get(key) ?? { program_id, starts, clicks: 0, rows: [] }
    period.clicks = period.rows.push(row)
    periods.set(key, period)
  }
  return [...periods.values()]
}

/** Counts the clicks of a day by each value of each dimension. */
type ValueCount = Omit<Period, "rows"> & { dimension: string; value: string | number }

const countValues = ({ program_id, starts, rows }: Period) =>
  Object.entries(DIMENSION_COLUMNS).flatMap(([dimension, column]) => {
    const counts = new Map<string | number, number>()
    for (const row of rows) {
      const value = row[column] ?? ""
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return Array.from(counts, ([value, clicks]) => ({
      program_id,
      dimension,
      value,
      starts,
      clicks,
    }))
  })

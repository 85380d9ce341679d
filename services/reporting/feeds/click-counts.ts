import { columnsOf } from "../../../lib/db/columns"
import type { Transaction } from "../../../lib/db/database"
import type { ClickRow } from "../../tracking/contract"
import { COLUMNS } from "../breakdown/breakdowns"

/**
 * Adds clicks to the sums of their hours and days. They are counted here: a flood of clicks makes
 * few sums, and PostgreSQL would have to group all of it by each of seven values.
 */
export async function addUpClicks(sql: Transaction, rows: ClickRow[]) {
  const by_hour = periodsOf(rows, row => `${row.click_timestamp.slice(0, 13)}:00Z`)
  const by_day = periodsOf(rows, row => row.click_timestamp.slice(0, 10))
  const hours = columnsOf(by_hour)
  const days = columnsOf(by_day)
  const values = columnsOf(by_day.flatMap(countValues))

  await sql`
    with
    counted_by_hour as (
      insert into hourly (program_id, hour, clicks)
      select program_id, hour, clicks
      from unnest(
        ${hours("program_id")}::bigint[],
        ${hours("starts")}::timestamptz[],
        ${hours("clicks")}::bigint[]
      ) as count (program_id, hour, clicks)
      on conflict (program_id, hour) do update
      set clicks = hourly.clicks + excluded.clicks
    ),
    counted_by_day as (
      insert into daily (program_id, day, clicks)
      select program_id, day, clicks
      from unnest(
        ${days("program_id")}::bigint[],
        ${days("starts")}::date[],
        ${days("clicks")}::bigint[]
      ) as count (program_id, day, clicks)
      on conflict (program_id, day) do update
      set clicks = daily.clicks + excluded.clicks
    )
    insert into daily_breakdown as kept (program_id, dimension, value, day, currency, clicks)
    select program_id, dimension, value, day, '', clicks
    from unnest(
      ${values("program_id")}::bigint[],
      ${values("dimension")}::text[],
      ${values("value")}::text[],
      ${values("starts")}::date[],
      ${values("clicks")}::bigint[]
    ) as count (program_id, dimension, value, day, clicks)
    on conflict (program_id, dimension, value, day, currency) do update
    set clicks = kept.clicks + excluded.clicks
  `
}

type Period = { program_id: number; starts: string; clicks: number; rows: ClickRow[] }

/** The clicks of each program in each period, which `startOf` names. */
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

/** How many clicks of a day there are of each value. */
const countValues = ({ program_id, starts, rows }: Period) =>
  Object.entries(COLUMNS).flatMap(([dimension, column]) => {
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

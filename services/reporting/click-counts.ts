import { columnsOf } from "../../lib/columns"
import type { Transaction } from "../../lib/db"
import type { ClickRow } from "../tracking/contract"
import { COLUMNS } from "./breakdowns"
import type { By } from "./contract"

type Count = { program_id: number; time: string; value: string; clicks: number }

/**
 * Adds clicks to the sums of their hours and days. They are counted here: a flood of clicks makes
 * few sums, and PostgreSQL would have to group all of it by each of seven values.
 */
export async function addUpClicks(sql: Transaction, rows: ClickRow[]) {
  const hours = columnsOf(countBy(rows, row => `${row.click_timestamp.slice(0, 13)}:00Z`))
  const days = columnsOf(countBy(rows, dayOf))
  const values = columnsOf(
    DIMENSIONS.flatMap(dimension =>
      countBy(rows, dayOf, row => row[COLUMNS[dimension]]).map(count => ({ ...count, dimension })),
    ),
  )

  await sql`
    with
    counted_by_hour as (
      insert into hourly (program_id, hour, clicks)
      select program_id, hour, clicks
      from unnest(
        ${hours("program_id")}::bigint[],
        ${hours("time")}::timestamptz[],
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
        ${days("time")}::date[],
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
      ${values("time")}::date[],
      ${values("clicks")}::bigint[]
    ) as count (program_id, dimension, value, day, clicks)
    on conflict (program_id, dimension, value, day, currency) do update
    set clicks = kept.clicks + excluded.clicks
  `
}

const DIMENSIONS = Object.keys(COLUMNS) as By[]
const dayOf = (row: ClickRow) => row.click_timestamp.slice(0, 10)

/** How many there are of each program, at each time, of each value. */
function countBy(
  rows: ClickRow[],
  timeOf: (row: ClickRow) => string,
  groupOf: (row: ClickRow) => string | number | null = () => null,
): Count[] {
  const counts = new Map<string, Count>()
  for (const row of rows) {
    const [time, value] = [timeOf(row), `${groupOf(row) ?? ""}`]
    const key = `${row.program_id} ${time} ${value}`
    const count = counts.get(key)
    if (count) count.clicks++
    else counts.set(key, { program_id: row.program_id, time, value, clicks: 1 })
  }
  return [...counts.values()]
}

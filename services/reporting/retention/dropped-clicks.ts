import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { DroppedClicksRow } from "../../tracking/contract"
import { sql as fragment } from "../db"

/**
 * The counts of clicks that retention dropped (behaviour 9.9). Lists begin after these clicks; sums
 * include them.
 */
export const droppedClicks: Feed<DroppedClicksRow> = { name: "dropped_clicks", apply, forget }

/** Selects the start of the first month whose clicks are kept, or -infinity: all are kept. */
export const KEPT_FROM = fragment`(
  select coalesce(date_trunc('month', max(starts_at), 'UTC') + interval '1 month', '-infinity')
  from dropped_clicks
)`

/**
 * Replaces what was counted by these totals. The read model may have counted all of the clicks,
 * some or, in a rebuild, none.
 */
async function apply(sql: Transaction, rows: DroppedClicksRow[]) {
  await sql`
    with stored as (
      insert into dropped_clicks (program_id, dimension, value, starts_at, clicks, ids)
      select program_id, dimension, value, starts_at, clicks, ids
      from jsonb_to_recordset(${sql.json(rows)}) as dropped (
        program_id bigint, dimension text, value text, starts_at timestamptz, clicks bigint,
        ids numeric
      )
      on conflict (program_id, dimension, value, starts_at) do update
      set
        clicks = excluded.clicks,
        ids = excluded.ids
      returning program_id, dimension, value, starts_at, clicks
    ),
    no_longer_left_out as (
      delete from left_out_clicks as left_out
      using stored
      where stored.dimension = 'hour'
        and left_out.program_id = stored.program_id
        and left_out.hour = stored.starts_at
    ),
    broken_down as (
      insert into daily_breakdown (program_id, dimension, value, day, currency, clicks)
      select program_id, dimension, value, (starts_at at time zone 'UTC')::date, '', clicks
      from stored
      where dimension <> 'hour'
      on conflict (program_id, dimension, value, day, currency) do update
      set clicks = excluded.clicks
    )
    insert into hourly (program_id, hour, clicks)
    select program_id, starts_at, clicks
    from stored
    where dimension = 'hour'
    on conflict (program_id, hour) do update
    set clicks = excluded.clicks
  `
  const hours = rows.filter(row => row.dimension === "hour")
  await sql`
    insert into daily (program_id, day, clicks)
    select hourly.program_id, touched.day, sum(hourly.clicks)
    from (
      select distinct program_id, (starts_at at time zone 'UTC')::date as day
      from jsonb_to_recordset(${sql.json(hours)}) as dropped (
        program_id bigint, starts_at timestamptz
      )
    ) as touched
    join hourly
      on hourly.program_id = touched.program_id
      and hourly.hour >= touched.day::timestamp at time zone 'UTC'
      and hourly.hour < (touched.day + 1)::timestamp at time zone 'UTC'
    group by hourly.program_id, touched.day
    on conflict (program_id, day) do update
    set clicks = excluded.clicks
  `
}

async function forget(sql: Transaction) {
  await sql`delete from dropped_clicks`
  await sql`delete from left_out_clicks`
}

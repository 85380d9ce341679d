import type { Transaction } from "../../../lib/db/database"
import { gauge } from "../../../lib/metrics"
import type { ClickRow } from "../../tracking/contract"
import { sql as database } from "../db"

/**
 * Counts clicks that came after retention had dropped their month, unless the totals of their hour
 * say that they were dropped with it. No report shows them until tracking sends new totals.
 */
export const leaveOut = (sql: Transaction, rows: ClickRow[]) => sql`
  insert into left_out_clicks as left_out (program_id, hour, clicks)
  select program_id, date_trunc('hour', click_timestamp, 'UTC') as hour, count(*)
  from jsonb_to_recordset(${sql.json(rows)}) as click (
    program_id bigint, click_timestamp timestamptz
  )
  where not exists (
    select
    from dropped_clicks as dropped
    where dropped.program_id = click.program_id
      and dimension = 'hour'
      and value = ''
      and starts_at = date_trunc('hour', click_timestamp, 'UTC')
  )
  group by program_id, hour
  on conflict (program_id, hour) do update
  set clicks = left_out.clicks + excluded.clicks
`

/** A sentence for /status. */
export async function findLeftOut(): Promise<string[]> {
  const clicks = await countLeftOut()
  return clicks === 0
    ? []
    : [
        `Clicks whose month retention had dropped when they arrived, and that no report counts yet: ${clicks}.`,
      ]
}

async function countLeftOut(): Promise<number> {
  const [{ clicks }] = await database<[{ clicks: number }]>`
    select coalesce(sum(clicks), 0)::bigint as clicks
    from left_out_clicks
  `
  return clicks
}

/** Registers the gauge of clicks that no report counts. */
export const registerLeftOutMetrics = () =>
  gauge(
    "tributary_clicks_left_out",
    "Clicks that came after retention had dropped their month, and that no report counts yet.",
    countLeftOut,
  )

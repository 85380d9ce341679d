import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"

/**
 * Counts what each workspace has stored, test events included, and marks the programs of those that
 * have used up their quota. Real clicks are counted with their partners; leads, sales and test
 * events are fewer, and an index has them by program. One replica measures at a time.
 */
export const measureEvents = (events_max: number) =>
  sql.begin(async sql => {
    const [{ is_held }] = await sql<[{ is_held: boolean }]>`
      select pg_try_advisory_xact_lock(hashtext('tracking.measure_events')) as is_held
    `
    if (!is_held) return
    await sql`set local statement_timeout = '2min'`
    await countEvents(sql)
    await forgetOthers(sql)
    await markPrograms(sql, events_max)
  })

/** Without a quota, no program is over it. */
export const liftQuota = () => sql`
  update programs
  set is_over_quota = false
  where is_over_quota
`

const countEvents = (sql: Transaction) => sql`
  with stored as (
    select program_id, sum(clicks)::bigint as events
    from counted_partners
    group by program_id
    union all
    select program_id, -sum(clicks)::bigint
    from dropped_clicks
    where dimension = 'hour'
    group by program_id
    union all
    select program_id, count(*)
    from affiliate_click_events
    where is_test
    group by program_id
    union all
    ${countByProgram(sql, "affiliate_lead_events")}
    union all
    ${countByProgram(sql, "affiliate_sale_events")}
  )
  insert into workspace_events (workspace_id, events)
  select coalesce(program.workspace_id, -program_id), coalesce(sum(stored.events), 0)::bigint
  from programs as program
  left join stored using (program_id)
  group by 1
  on conflict (workspace_id) do update
  set
    events = excluded.events,
    measured_at = excluded.measured_at
`

/** Apart for test events, since each has an index by program of its own. */
const countByProgram = (sql: Transaction, table: string) => sql`
  select program_id, count(*)
  from ${sql(table)}
  where not is_test
  group by program_id
  union all
  select program_id, count(*)
  from ${sql(table)}
  where is_test
  group by program_id
`

/** A program whose workspace has become known is counted there, and no longer on its own. */
const forgetOthers = (sql: Transaction) => sql`
  delete from workspace_events
  where measured_at <> now()::timestamptz(3)
`

const markPrograms = (sql: Transaction, events_max: number) => sql`
  update programs as program
  set is_over_quota = measured.events >= ${events_max}
  from workspace_events as measured
  where measured.workspace_id = coalesce(program.workspace_id, -program.program_id)
    and program.is_over_quota <> (measured.events >= ${events_max})
`

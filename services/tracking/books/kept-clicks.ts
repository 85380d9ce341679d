import { sql } from "../db"

/** Selects the start of the first month that retention has not dropped. -infinity: it kept all. */
export const KEPT_FROM = sql`(
  select coalesce(date_trunc('month', max(starts_at), 'UTC') + interval '1 month', '-infinity')
  from dropped_clicks
)`

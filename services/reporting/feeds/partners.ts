import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { PartnerRow } from "../../commissions/contract"

/** Stores partner-program records, and counts them by day. */
export const partners: Feed<PartnerRow> = { name: "partners", apply, forget }

async function apply(sql: Transaction, rows: PartnerRow[]) {
  await sql`
    with stored as (
      insert into partners (id, program_id, created_at)
      select id, program_id, created_at
      from jsonb_to_recordset(${sql.json(rows)}) as partner (
        id bigint, program_id bigint, created_at timestamptz
      )
      returning program_id, (created_at at time zone 'UTC')::date as day
    )
    insert into daily (program_id, day, partners)
    select program_id, day, count(*)
    from stored
    group by program_id, day
    on conflict (program_id, day) do update
    set partners = daily.partners + excluded.partners
  `
}

async function forget(sql: Transaction) {
  await sql`delete from partners`
  await sql`update daily set partners = 0 where partners > 0`
}

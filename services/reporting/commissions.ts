import { feedOf } from "../../lib/cursors"
import type { Transaction } from "../../lib/db"
import { type CommissionRow, feedCommissions } from "../commissions/contract"

/** Commissions as they were created. */
export const commissions = feedOf("commissions", feedCommissions, apply, forget)

async function apply(sql: Transaction, rows: CommissionRow[]) {
  await sql`
    with stored as (
      insert into commissions (
        id, program_id, partner_id, sale_id, amount_cents, currency, created_at
      )
      select id, program_id, partner_id, sale_id, amount_cents, currency, created_at
      from jsonb_to_recordset(${sql.json(rows)}) as commission (
        id bigint, program_id bigint, partner_id bigint, sale_id bigint, amount_cents bigint,
        currency text, created_at timestamptz
      )
      returning program_id, (created_at at time zone 'UTC')::date as day, currency, amount_cents
    )
    insert into daily_money (program_id, day, currency, commission_cents)
    select program_id, day, currency, sum(amount_cents)
    from stored
    group by program_id, day, currency
    on conflict (program_id, day, currency) do update
    set commission_cents = daily_money.commission_cents + excluded.commission_cents
  `
}

async function forget(sql: Transaction) {
  await sql`delete from commissions`
  await sql`update daily_money set commission_cents = 0 where commission_cents > 0`
}

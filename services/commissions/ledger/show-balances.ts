import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Balance } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.showBalances>

/**
 * Uses one statement, so that the parts add up. What is left of a partly refunded commission waits
 * for the end of its hold, or for a person to approve it, like a pending one.
 */
export async function showBalances({ of }: Request): Promise<{ balances: Balance[] }> {
  const balances = await sql<Balance[]>`
    with partner as (
      select program_id, partner_id
      from partner_programs
      where ${isOwn(of)}
    ),
    owed as (
      select currency, sum(balance_cents)::bigint as owed_cents
      from partner
      join balances using (program_id, partner_id)
      group by currency
    ),
    paid as (
      select currency, -sum(amount_cents)::bigint as paid_cents
      from partner
      join ledger using (program_id, partner_id)
      where kind = 'payout'
      group by currency
    ),
    waiting as (
      select
        currency,
        case when auto_approve then hold_ends_at end as approved_at,
        case status
          when 'pending' then amount_cents
          else (
            select sum(amount_cents)
            from ledger
            where commission_id = commission.id
          )
        end as rest_cents
      from partner
      join commissions as commission using (program_id, partner_id)
      where status = 'pending'
        or (status = 'refunded' and paid_at is null and not (auto_approve and hold_ends_at <= now()))
    ),
    pending as (
      select currency, sum(rest_cents)::bigint as pending_cents, min(approved_at) as next_at
      from waiting
      group by currency
    ),
    next as (
      select currency, sum(rest_cents)::bigint as next_cents
      from waiting
      join pending using (currency)
      where approved_at < date_trunc('day', next_at, 'UTC') + interval '1 day'
      group by currency
    )
    select
      currency,
      owed_cents,
      coalesce(pending_cents, 0) as pending_cents,
      0 as held_cents,
      owed_cents - coalesce(pending_cents, 0) as payable_cents,
      0 as drafted_cents,
      0 as in_flight_cents,
      coalesce(paid_cents, 0) as paid_cents,
      owed_cents + coalesce(paid_cents, 0) as earned_cents,
      case
        when next_at is not null then jsonb_build_object(
          'at', to_char(next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'amount_cents', next_cents
        )
      end as next_approval
    from owed
    left join paid using (currency)
    left join pending using (currency)
    left join next using (currency)
    order by currency
  `
  return { balances }
}

const isOwn = (of: Request["of"]) =>
  "account_id" in of
    ? sql`partner_id = any (array(select id from partners where account_id = ${of.account_id}))`
    : sql`(program_id, partner_id) = (${of.program_id}, ${of.partner_id})`

import { inBatches } from "../../../lib/batch"
import type { RequestOf } from "../../../lib/bus/operation"
import { retryOnConflict } from "../../../lib/db/pool"
import { relation } from "../../../lib/db/relation"
import { Fault } from "../../../lib/fault"
import { requireSame } from "../../../lib/same-row"
import type * as contract from "../contract"
import { sales_sql, sql } from "../db"
import { recordCommissionEvents } from "./commission-events"

type Request = RequestOf<typeof contract.createCommission>
/** A commission, and what it says of its sale. Null: an older version created it. */
type Booked = {
  id: number
  sale_id: number
  program_id: number
  partner_id: number
  transaction_id: string
  sale_amount_cents: number | null
  sale_currency: string | null
}

const BOOKED_COLUMNS = sql`
  id, sale_id, program_id, partner_id, transaction_id, sale_amount_cents, sale_currency
`

/**
 * Safe to repeat: the data that the reply depends on never changes. A request with the id of another
 * sale gets a fault instead of that sale's commission.
 */
export async function createCommission(request: Request) {
  if (await isEarningPeriodOver(request)) return { commission_id: null }

  const commission = (await book(request)) ?? (await findCommission(request.sale_id))
  if (!commission) throw new Fault("unavailable", "The partner of this sale is not ready yet.")
  const { id, ...stored } = commission
  const { amount_cents: sale_amount_cents, currency: sale_currency } = request
  requireSame("createCommission", stored, { ...request, sale_amount_cents, sale_currency })
  return { commission_id: id }
}

/** Whether the policy of the subscription's first sale no longer pays for renewals. */
async function isEarningPeriodOver(request: Request): Promise<boolean> {
  const { first_sale_id, sale_date, program_id, partner_id } = request
  if (first_sale_id === null) return false

  const [first] = await sql<[{ has_ended: boolean }?]>`
    select
      policy.duration_months is not null and ${sale_date} >= (
        first.sale_date at time zone 'UTC' + make_interval(months => policy.duration_months)
      ) at time zone 'UTC' as has_ended
    from commissions as first
    join policies as policy on policy.id = first.policy_id
    where first.sale_id = ${first_sale_id}
      and first.program_id = ${program_id}
      and first.partner_id = ${partner_id}
  `
  if (!first) throw new Fault("unavailable", "The subscription's first sale has no commission yet.")
  return first.has_ended
}

const book = inBatches("commissions", async (requests: Request[]) => {
  const booked = await retryOnConflict(() => bookAll(requests))
  const bySale = new Map(booked.map(commission => [commission.sale_id, commission]))
  return requests.map(({ sale_id }) => bySale.get(sale_id))
})

const saleRelation = relation<Request>({
  sale_id: "bigint",
  program_id: "bigint",
  partner_id: "bigint",
  transaction_id: "text",
  amount_cents: "bigint",
  currency: "text",
  program_currency: "text",
  partner_version: "bigint",
  product_id: "text",
  sale_date: "timestamptz",
})

/**
 * Stores commissions, ledger entries, balances and outgoing events in one statement, together or
 * not at all.
 *
 * Group, status and policy are those in force when the sale was stored: by the version of the
 * partner that it names, and by its id, since a policy takes effect after a certain sale. Clocks
 * only decide about policies that were scheduled for later.
 */
function bookAll(requests: Request[]) {
  return sales_sql<Booked[]>`
    with input as materialized ${saleRelation(sales_sql, requests)},
    terms as (
      select
        input.*,
        policy.id as policy_id,
        policy.hold_days,
        policy.auto_approve and coalesce(stored.status, partner.status) = 'approved'
          as auto_approve,
        coalesce(product.kind, policy.kind) as kind,
        case when product.kind is null then policy.rate_bps else product.rate_bps end as rate_bps,
        case when product.kind is null then policy.amount_cents else product.amount_cents end
          as fixed_cents,
        coalesce(input.program_currency, program.currency) as fixed_currency
      from input
      join programs as program using (program_id)
      cross join lateral (
        select group_id, status
        from partner_programs
        where program_id = input.program_id
          and partner_id = input.partner_id
          and version > 0
        offset 0 -- keeps it a one-row index lookup: as a join, PostgreSQL reads the whole program
      ) as partner
      left join lateral (
        select group_id, status
        from partner_versions
        where program_id = input.program_id
          and partner_id = input.partner_id
          and version = input.partner_version
        offset 0
      ) as stored on true -- else an older version of a service stored the sale or the partner
      cross join lateral (
        select id, hold_days, auto_approve, kind, rate_bps, amount_cents, products
        from policies
        where group_id = coalesce(stored.group_id, partner.group_id)
          and (
            version = 1
            or after_sale_id < input.sale_id
            or (after_sale_id is null and effective_from <= input.sale_date)
          )
        order by version desc
        limit 1
      ) as policy
      left join lateral (
        select kind, rate_bps, amount_cents
        from jsonb_to_recordset(policy.products)
          as product (product_id text, kind text, rate_bps int, amount_cents bigint)
        where product_id = input.product_id
        limit 1
      ) as product on true
    ),
    created as (
      insert into commissions (
        sale_id, program_id, partner_id, transaction_id, sale_date,
        policy_id, auto_approve, hold_ends_at, amount_cents, currency,
        sale_amount_cents, sale_currency
      )
      select
        sale_id, program_id, partner_id, transaction_id, sale_date,
        policy_id, auto_approve, now() + make_interval(hours => 24 * hold_days),
        case kind
          when 'percent' then round(amount_cents::numeric * rate_bps / 10000) -- half up
          else fixed_cents
        end,
        case kind when 'percent' then currency else fixed_currency end,
        amount_cents, currency
      from terms
      order by sale_id -- inserting in one order avoids deadlocks
      on conflict (sale_id) do nothing
      returning *
    ),
    balanced as (
      insert into balances as balance (program_id, partner_id, currency, balance_cents)
      select program_id, partner_id, currency, sum(amount_cents)
      from created
      group by program_id, partner_id, currency
      order by program_id, partner_id, currency
      on conflict (program_id, partner_id, currency) do update
        set balance_cents = balance.balance_cents + excluded.balance_cents
      returning program_id, partner_id, currency
    ),
    entered as (
      insert into ledger (program_id, partner_id, currency, commission_id, kind, amount_cents)
      select program_id, partner_id, currency, created.id, 'commission', amount_cents
      from created
      join balanced using (program_id, partner_id, currency) -- locked before the id is taken
    ),
    recorded as (
      ${recordCommissionEvents(
        sales_sql,
        { type: "commission.created", previous: null },
        { relation: "created" },
      )}
    )
    select ${BOOKED_COLUMNS}
    from created
  `
}

/** Finds what an earlier request booked. The snapshot of the insert may not include it. */
async function findCommission(sale_id: number) {
  const [commission] = await sql<[Booked?]>`
    select ${BOOKED_COLUMNS}
    from commissions
    where sale_id = ${sale_id}
  `
  return commission
}

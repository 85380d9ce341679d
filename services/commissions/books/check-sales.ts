import type { BookedSale } from "../../../lib/books"
import { relation } from "../../../lib/db/relation"
import { type Owned, ownedRowsChecker } from "../../../lib/owned-rows"
import type { Invariant } from "../../../lib/reconcile"
import { sql } from "../db"
import { REFUNDS_OF_SALES } from "./refunds-of-sales"
import { TERMS_OF_SALES } from "./terms-of-sales"

const saleRelation = relation<BookedSale>({
  id: "bigint",
  program_id: "bigint",
  partner_id: "bigint",
  transaction_id: "text",
  amount_cents: "bigint",
  currency: "text",
  product_id: "text",
  sale_date: "timestamptz",
  partner_version: "bigint",
  first_sale_id: "bigint",
  commission_id: "bigint",
  is_complete: "boolean",
})

/** The commission of each sale, and what it must be. */
const COMMISSIONS_OF_SALES: Omit<Invariant<Owned>, "table">[] = [
  {
    invariant: "Each sale and its commission name each other",
    violations: (sql, { rows, isInRange }) => sql`
      select
        case
          when commission.id is null then format('Sale %s', sale.id)
          else format('Commission %s', commission.id)
        end,
        case
          when sale.id is null
            then format('names sale %s, which does not exist.', commission.sale_id)
          when commission.id is null
            then format('names commission %s, which does not exist.', sale.commission_id)
          else format('names sale %s, which names %s.', commission.sale_id,
            coalesce('commission ' || sale.commission_id, 'none'))
        end
      from ${rows} as sale
      full join (
        select id, sale_id
        from commissions
        where ${isInRange(sql`sale_id`)}
      ) as commission on commission.sale_id = sale.id
      where sale.id is null
        or sale.is_complete and commission.id is distinct from sale.commission_id
    `,
  },
  {
    invariant:
      "Each commission has its sale's partner, program, transaction, time, amount and currency",
    violations: (sql, { rows }) => sql`
      select
        format('Commission %s', commission.id),
        format('differs from its sale %s in %s.', sale.id, different)
      from ${rows} as sale
      join commissions as commission on commission.sale_id = sale.id
      cross join lateral (
        select string_agg(name, ', ') as different
        from (
          values
            ('program', sale.program_id <> commission.program_id),
            ('partner', sale.partner_id <> commission.partner_id),
            ('transaction', sale.transaction_id <> commission.transaction_id),
            ('date', sale.sale_date <> commission.sale_date),
            ('amount', sale.amount_cents <> commission.sale_amount_cents),
            ('currency', sale.currency <> commission.sale_currency)
        ) as compared (name, is_different)
        where is_different
      ) as difference
      where different is not null
    `,
  },
  {
    invariant: "Each commission is what its policy pays for its sale",
    violations: (sql, { rows }) => sql`
      select
        format('Commission %s', commission.id),
        format('is %s %s, but version %s of its policy pays %s %s for sale %s.',
          commission.amount_cents, commission.currency, policy.version, due.cents, due.currency,
          sale.id)
      from ${rows} as sale
      join commissions as commission on commission.sale_id = sale.id
      join programs as program on program.program_id = commission.program_id
      join policies as policy on policy.id = policy_id
      left join lateral (
        select kind, rate_bps, amount_cents
        from jsonb_to_recordset(policy.products)
          as product (product_id text, kind text, rate_bps int, amount_cents bigint)
        where product_id = sale.product_id
        limit 1
      ) as product on true
      cross join lateral (
        select
          case coalesce(product.kind, policy.kind)
            when 'percent' then round(
              sale.amount_cents::numeric
                * case when product.kind is null then policy.rate_bps else product.rate_bps end
                / 10000
            ) -- half up
            else case
              when product.kind is null then policy.amount_cents
              else product.amount_cents
            end
          end as cents,
          case coalesce(product.kind, policy.kind)
            when 'percent' then sale.currency
            else program.currency
          end as currency
      ) as due
      where (commission.amount_cents, commission.currency) is distinct from
        (due.cents, due.currency)
    `,
  },
  {
    invariant: "Each renewal earns exactly while its subscription does",
    violations: (sql, { rows }) => sql`
      select
        format('Sale %s', sale.id),
        format('renews sale %s, and %s, but its subscription earns for %s months.',
          sale.first_sale_id,
          case when sale.commission_id is null then 'earned nothing' else 'earned' end,
          coalesce(policy.duration_months::text, 'all'))
      from ${rows} as sale
      join commissions as first on first.sale_id = sale.first_sale_id
      join policies as policy on policy.id = first.policy_id
      where sale.is_complete
        and (sale.commission_id is null) is distinct from (
          policy.duration_months is not null
          and sale.sale_date >= (
            first.sale_date at time zone 'UTC' + make_interval(months => policy.duration_months)
          ) at time zone 'UTC'
        )
    `,
  },
]

export const checkSales = ownedRowsChecker<BookedSale>(sql, saleRelation, [
  ...COMMISSIONS_OF_SALES,
  ...TERMS_OF_SALES,
  ...REFUNDS_OF_SALES,
])

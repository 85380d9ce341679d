import type { Database, Transaction } from "../../../lib/db/database"
import { relation } from "../../../lib/db/relation"
import type { Sale } from "../contract"
import { sql } from "../db"
import { SALE_COLUMNS, type StoredSale } from "./sales"
import { wakeRefunds } from "./wake-refunds"

export type NewSale = { program_id: number; sale: Sale; request_hash: string }

/**
 * `customer_id` null: the statement finds the customer by a customer_key that is not provisional, or
 * without a key by click_id.
 */
type FoundCustomer = { customer_id: number | null }

const saleRelation = relation<ReturnType<typeof toRow>>({
  customer_id: "bigint",
  program_id: "bigint",
  request_hash: "text",
  customer_key: "text",
  click_id: "text",
  transaction_id: "text",
  amount_cents: "bigint",
  currency: "text",
  sale_type: "text",
  line_items: "text",
  is_recurring: "boolean",
  subscription_id: "text",
  subscription_interval: "text",
  product_id: "text",
})

/**
 * Stores pending sales in one statement and returns those that it stored. It locks the customers,
 * and takes a shared lock on the programs: the currency of a program cannot change after its first
 * sale, so changing it takes an exclusive lock.
 *
 * The statement reads the state at its start. It skips a customer that another transaction has
 * changed since or holds a lock on: a newer click may be about to reattribute that customer.
 */
export function insertSales(database: Database | Transaction, sales: (NewSale & FoundCustomer)[]) {
  return database<StoredSale[]>`
    with input as materialized ${saleRelation(database, sales.map(toRow))},
    matched as materialized (
      select input.position, customer.id, customer.ctid as version
      from input
      join customers as customer
        on customer.id = input.customer_id
      union all
      select input.position, customer.id, customer.ctid
      from input
      join customers as customer
        on customer.program_id = input.program_id
        and customer.customer_key = input.customer_key
        and not customer.key_is_provisional
      where input.customer_id is null
      union all
      select input.position, customer.id, customer.ctid
      from input
      join customers as customer
        on customer.click_id = input.click_id
        and customer.names_click
        and customer.program_id = input.program_id
      where input.customer_id is null
        and input.customer_key is null
    ),
    customer as materialized (
      select
        matched.position, matched.version = customer.ctid as is_unchanged,
        customer.id, customer.program_id, customer.click_id, customer.customer_key,
        customer.partner_id, customer.link_id, customer.click_event_id, customer.attributed_at,
        customer.window_days
      from matched
      join customers as customer using (id)
      order by customer.id
      for update of customer skip locked
    ),
    stored as (
      insert into affiliate_sale_events (
        program_id, customer_id, click_id, customer_key, transaction_id, request_hash,
        amount_cents, currency, sale_type, line_items, is_recurring, subscription_id,
        subscription_interval, product_id, partner_id, partner_version, link_id, click_event_id,
        first_sale_id, click_age_days, window_days, is_attributed, state, last_click_event_id,
        geo_country, device_type, browser_name, referrer_host, sub_id, affiliate_url, clicked_at
      )
      select
        customer.program_id, customer.id, customer.click_id, customer.customer_key,
        input.transaction_id, input.request_hash, input.amount_cents, input.currency,
        input.sale_type, input.line_items::jsonb, input.is_recurring, input.subscription_id,
        input.subscription_interval, input.product_id,
        attribution.partner_id, partner.version, attribution.link_id, attribution.click_event_id,
        attribution.first_sale_id,
        -- a click while this statement waited for the lock is later than now()
        greatest(0, floor(extract(epoch from now() - customer.attributed_at) / 86400)),
        customer.window_days,
        attribution.first_sale_id is not null
          or now() <= customer.attributed_at + customer.window_days * interval '1 day',
        'pending',
        (select last_value from affiliate_click_events_id_seq),
        attribution.geo_country, attribution.device_type, attribution.browser_name,
        attribution.referrer_host, attribution.sub_id, attribution.affiliate_url,
        attribution.clicked_at
      from customer
      join input using (position)
      join programs as program on program.program_id = customer.program_id
      cross join lateral (${saleAttribution}) as attribution
      cross join lateral (
        select version, status
        from partner_programs
        where program_id = customer.program_id
          and partner_id = attribution.partner_id
        offset 0 -- keeps it a one-row index lookup
      ) as partner
      where customer.is_unchanged
        and partner.status <> 'removed'
      order by input.transaction_id, input.program_id -- in one order, which avoids deadlocks
      for share of program
      on conflict do nothing -- by the unique index of either scope (transaction-scope.ts)
      returning ${sql(SALE_COLUMNS)}
    ),
    settled as (${fixAttribution}),
    woken as (${wakeRefunds(sql, sql`select program_id, transaction_id from stored`)})
    select ${sql(SALE_COLUMNS)}
    from stored
  `
}

const toRow = ({ sale, ...fields }: NewSale & FoundCustomer) => ({
  ...fields,
  customer_key: sale.customer_key ?? null,
  click_id: sale.click_id ?? null,
  transaction_id: sale.transaction_id,
  amount_cents: sale.amount_cents,
  currency: sale.currency ?? "USD",
  sale_type: sale.sale_type ?? "payment",
  line_items: sale.line_items ? JSON.stringify(sale.line_items) : null,
  is_recurring: sale.is_recurring ?? false,
  subscription_id: sale.subscription_id ?? null,
  subscription_interval: sale.subscription_interval ?? null,
  product_id: sale.product_id ?? null,
})

/**
 * Selects the attribution of a sale, for a query with `input` and `customer`. A renewal takes it
 * from its subscription's first sale, any other sale from the customer's click. Fields of a click
 * that retention has dropped are null.
 */
export const saleAttribution = sql`
  (
    select
      partner_id, link_id, click_event_id, id as first_sale_id,
      geo_country, device_type, browser_name, referrer_host, sub_id, affiliate_url, clicked_at
    from affiliate_sale_events
    where input.is_recurring
      and program_id = customer.program_id
      and subscription_id = input.subscription_id
      and is_attributed
      and first_sale_id is null
      and not is_test
    order by id
    limit 1
  )
  union all
  (
    select
      customer.partner_id, customer.link_id, customer.click_event_id, null::bigint,
      geo_country, device_type, browser_name, referrer_host, sub_id, affiliate_url,
      customer.attributed_at
    from (values (1)) as sale
    left join affiliate_click_events as click
      on click.id = customer.click_event_id
      and click.click_timestamp = customer.attributed_at
  )
  order by first_sale_id nulls last
  limit 1
`

/**
 * Fixes the attribution of customers at their first attributed conversion: newer clicks no longer
 * change it. A renewal takes its attribution from an earlier sale and fixes nothing.
 */
const fixAttribution = sql`
  update customers
  set is_settled = true
  from stored
  where customers.id = stored.customer_id
    and stored.is_attributed
    and stored.first_sale_id is null
    and not customers.is_settled
`

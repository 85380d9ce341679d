import { columnsOf } from "../../../lib/db/columns"
import type { Database, Transaction } from "../../../lib/db/database"
import type { Sale } from "../contract"
import { sql } from "../db"
import { SALE_COLUMNS, type StoredSale } from "./sales"
import { wakeRefunds } from "./wake-refunds"

export type NewSale = { program_id: number; sale: Sale; request_hash: string }

/** Null: whoever its key names beyond doubt, or else its click_id. */
type Customer = { customer_id: number | null }

/**
 * All that sales write, in one statement. It locks the customers, and shares the lock of the
 * programs' rows, which a change of the currency takes for itself: a sale fixes the currency.
 *
 * What it finds is as of its start. Of a customer whom somebody else has changed meanwhile, or holds
 * at this moment, it stores nothing: it could be a newer click that takes the customer.
 */
export function insertSales(database: Database | Transaction, sales: (NewSale & Customer)[]) {
  const column = columnsOf(sales.map(asRow))

  return database<StoredSale[]>`
    with asked as materialized (
      select *
      from unnest(
        ${column("customer_id")}::bigint[],
        ${column("program_id")}::bigint[],
        ${column("request_hash")}::text[],
        ${column("customer_key")}::text[],
        ${column("click_id")}::text[],
        ${column("transaction_id")}::text[],
        ${column("amount_cents")}::bigint[],
        ${column("currency")}::text[],
        ${column("sale_type")}::text[],
        ${column("line_items")}::text[],
        ${column("is_recurring")}::boolean[],
        ${column("subscription_id")}::text[],
        ${column("subscription_interval")}::text[],
        ${column("product_id")}::text[]
      ) with ordinality as asked (
        customer_id, program_id, request_hash, customer_key, click_id, transaction_id, amount_cents,
        currency, sale_type, line_items, is_recurring, subscription_id, subscription_interval,
        product_id, position
      )
    ),
    named as materialized (
      select asked.position, customer.id, customer.ctid as version
      from asked
      join customers as customer
        on customer.id = asked.customer_id
      union all
      select asked.position, customer.id, customer.ctid
      from asked
      join customers as customer
        on customer.program_id = asked.program_id
        and customer.customer_key = asked.customer_key
        and not customer.key_is_provisional
      where asked.customer_id is null
      union all
      select asked.position, customer.id, customer.ctid
      from asked
      join customers as customer
        on customer.click_id = asked.click_id
        and customer.names_click
        and customer.program_id = asked.program_id
      where asked.customer_id is null
        and asked.customer_key is null
    ),
    customer as materialized (
      select
        named.position, named.version = customer.ctid as is_as_named,
        customer.id, customer.program_id, customer.click_id, customer.customer_key,
        customer.partner_id, customer.link_id, customer.click_event_id, customer.attributed_at,
        customer.window_days
      from named
      join customers as customer using (id)
      order by customer.id
      for update of customer skip locked
    ),
    stored as (
      insert into affiliate_sale_events (
        program_id, customer_id, click_id, customer_key, transaction_id, request_hash,
        amount_cents, currency, sale_type, line_items, is_recurring, subscription_id,
        subscription_interval, product_id, partner_id, link_id, click_event_id, first_sale_id,
        click_age_days, window_days, is_attributed, state,
        geo_country, device_type, browser_name, referrer_host, sub_id
      )
      select
        customer.program_id, customer.id, customer.click_id, customer.customer_key,
        asked.transaction_id, asked.request_hash, asked.amount_cents, asked.currency,
        asked.sale_type, asked.line_items::jsonb, asked.is_recurring, asked.subscription_id,
        asked.subscription_interval, asked.product_id,
        origin.partner_id, origin.link_id, origin.click_event_id, origin.first_sale_id,
        -- whoever clicked while we waited for the lock did so after now()
        greatest(0, floor(extract(epoch from now() - customer.attributed_at) / 86400)),
        customer.window_days,
        origin.first_sale_id is not null
          or now() <= customer.attributed_at + customer.window_days * interval '1 day',
        'pending',
        origin.geo_country, origin.device_type, origin.browser_name, origin.referrer_host,
        origin.sub_id
      from customer
      join asked using (position)
      join programs as program on program.program_id = customer.program_id
      cross join lateral (${origin}) as origin
      where customer.is_as_named
        and (
          select status
          from partner_programs
          where program_id = customer.program_id
            and partner_id = origin.partner_id
        ) <> 'removed'
      order by asked.transaction_id -- who inserts in one order does not deadlock
      for share of program
      on conflict (transaction_id) where not is_test do nothing
      returning ${sql(SALE_COLUMNS)}
    ),
    settled as (${settlingCustomers}),
    woken as (${wakeRefunds(sql, sql`select program_id, transaction_id from stored`)})
    select ${sql(SALE_COLUMNS)}
    from stored
  `
}

const asRow = ({ sale, ...stored }: NewSale & Customer) => ({
  ...stored,
  customer_key: sale.customer_key ?? null,
  click_id: sale.click_id ?? null,
  transaction_id: sale.transaction_id,
  amount_cents: sale.amount_cents,
  currency: sale.currency ?? "USD",
  sale_type: sale.sale_type ?? "payment",
  line_items: sale.line_items ? JSON.stringify(sale.line_items) : null,
  is_recurring: String(sale.is_recurring ?? false), // a list of booleans the driver takes for one
  subscription_id: sale.subscription_id ?? null,
  subscription_interval: sale.subscription_interval ?? null,
  product_id: sale.product_id ?? null,
})

/**
 * What a sale is owed to: a renewal to its subscription's first sale, which has kept what its click
 * was like; any other to the customer's click, of which that is unknown where retention has dropped
 * it.
 */
export const origin = sql`
  (
    select
      partner_id, link_id, click_event_id, id as first_sale_id,
      geo_country, device_type, browser_name, referrer_host, sub_id
    from affiliate_sale_events
    where asked.is_recurring
      and program_id = customer.program_id
      and subscription_id = asked.subscription_id
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
      geo_country, device_type, browser_name, referrer_host, sub_id
    from (values (1)) as sale
    left join affiliate_click_events as click
      on click.id = customer.click_event_id
      and click.click_timestamp = customer.attributed_at
  )
  order by first_sale_id nulls last
  limit 1
`

/**
 * From its first attributed conversion on, newer clicks do not move the customer. A renewal is
 * owed to another sale, and says nothing of the click that the customer has now.
 */
const settlingCustomers = sql`
  update customers
  set is_settled = true
  from stored
  where customers.id = stored.customer_id
    and stored.is_attributed
    and stored.first_sale_id is null
    and not customers.is_settled
`

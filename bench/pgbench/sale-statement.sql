-- Stores a sale in one statement, as services/tracking/sales/store-sale.ts does.
-- sale-commission.sql follows.
\set n :n + 1
\set customer random(1, :customers)
with customer as materialized (
  select
    id, program_id, click_id, customer_key, partner_id, link_id, click_event_id, attributed_at,
    window_days
  from customers
  where (program_id, customer_key) = (1::bigint, 'customer-' || :customer)
    and not key_is_provisional
  for update
),
stored as (
  insert into affiliate_sale_events (
    program_id, customer_id, click_id, customer_key, transaction_id, request_hash, amount_cents,
    currency, sale_type, is_recurring, partner_id, link_id, click_event_id, click_age_days,
    window_days, is_attributed, state, geo_country, device_type, browser_name, referrer_host, sub_id
  )
  select
    customer.program_id, customer.id, customer.click_id, customer.customer_key,
    'order-' || :run || '-' || :client_id || '-' || :n, md5(:n::text) || md5(:customer::text),
    4999, 'USD', 'payment', false, customer.partner_id, customer.link_id, customer.click_event_id,
    floor(extract(epoch from now() - customer.attributed_at) / 86400), customer.window_days,
    now() <= customer.attributed_at + customer.window_days * interval '1 day', 'pending',
    click.geo_country, click.device_type, click.browser_name, click.referrer_host, click.sub_id
  from customer
  join customers as seen on seen.id = customer.id and seen.click_event_id = customer.click_event_id
  join programs as program on program.program_id = customer.program_id
  left join affiliate_click_events as click
    on click.id = customer.click_event_id and click.click_timestamp = customer.attributed_at
  where (
    select status from partner_programs
    where program_id = customer.program_id and partner_id = customer.partner_id
  ) <> 'removed'
  for share of program
  on conflict (transaction_id) where not is_test do nothing
  returning id, customer_id, partner_id, is_attributed
),
settled as (
  update customers
  set is_settled = true
  from stored
  where customers.id = stored.customer_id and is_attributed and not is_settled
),
woken as (
  update processor_events
  set tries = 0, try_after = now()
  where program_id = 1 and state = 'waiting'
    and payment in (
      select 'order-' || :run || '-' || :client_id || '-' || :n
      union all
      select payment from processor_payments
      where (program_id, transaction_id)
        = (1::bigint, 'order-' || :run || '-' || :client_id || '-' || :n)
    )
)
select id as sale_id, customer_id as customer_id, partner_id as partner_id from stored \gset

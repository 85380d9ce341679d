-- The same as the service does it: each of the three transactions is one statement.
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
with terms as (
  select policy.id as policy_id, policy.hold_days, policy.auto_approve, policy.rate_bps
  from commissions.partner_programs as partner
  join commissions.programs as program using (program_id)
  cross join lateral (
    select id, hold_days, auto_approve, kind, rate_bps, amount_cents, products
    from commissions.policies
    where group_id = partner.group_id and (effective_from <= now() or version = 1)
    order by version desc
    limit 1
  ) as policy
  where partner.program_id = 1 and partner.partner_id = :partner_id and partner.version > 0
),
created as (
  insert into commissions.commissions (
    sale_id, program_id, partner_id, transaction_id, sale_date,
    policy_id, auto_approve, hold_ends_at, amount_cents, currency
  )
  select
    :sale_id, 1, :partner_id, 'order-' || :run || '-' || :client_id || '-' || :n, now(),
    policy_id, auto_approve, now() + make_interval(hours => 24 * hold_days),
    round(4999::numeric * rate_bps / 10000), 'USD'
  from terms
  on conflict (sale_id) do nothing
  returning id, program_id, partner_id, currency, amount_cents
),
entered as (
  insert into commissions.ledger (
    program_id, partner_id, currency, commission_id, kind, amount_cents
  )
  select program_id, partner_id, currency, id, 'commission', amount_cents
  from created
),
balanced as (
  insert into commissions.balances as balance (program_id, partner_id, currency, balance_cents)
  select program_id, partner_id, currency, amount_cents
  from created
  on conflict (program_id, partner_id, currency) do update
    set balance_cents = balance.balance_cents + excluded.balance_cents
)
select id as commission_id from created \gset
with converted as (
  update customers
  set customer_status = 'conversion', first_purchase_date = now()
  where id = :customer_id and customer_status <> 'conversion'
  returning id
)
update affiliate_sale_events
set
  state = 'complete', commission_id = :commission_id,
  converts = converts or exists (select from converted),
  acknowledged_by = coalesce(acknowledged_by, md5(:n::text)),
  final_xact = coalesce(final_xact, pg_current_xact_id())
where id = :sale_id
returning acknowledged_by;

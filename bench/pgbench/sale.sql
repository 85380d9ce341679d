-- Stores a sale step by step. sale-commission.sql follows. Together they are three durable
-- transactions, which do the same as services/tracking/sales/store-sale.ts and
-- services/commissions/commissions/create-commission.ts, except that they do not copy the click's
-- country, device and referrer, and do not wake waiting refunds.
\set n :n + 1
\set customer random(1, :customers)
select id from affiliate_sale_events
where transaction_id = 'order-' || :run || '-' || :client_id || '-' || :n and not is_test;
begin;
select 1 from programs where program_id = 1 for share;
select
  id as customer_id, click_id as click_id, partner_id as partner_id, link_id as link_id,
  click_event_id as click_event_id
from customers
where (program_id, customer_key) = (1::bigint, 'customer-' || :customer)
order by id
for update \gset
select 1 from partner_programs
where program_id = 1 and partner_id = :partner_id and status <> 'removed';
insert into affiliate_sale_events (
  program_id, customer_id, click_id, customer_key, transaction_id, request_hash, amount_cents,
  currency, sale_type, is_recurring, partner_id, link_id, click_event_id, click_age_days,
  window_days, is_attributed, state
)
values (
  1, :customer_id, :click_id, 'customer-' || :customer,
  'order-' || :run || '-' || :client_id || '-' || :n, md5(:n::text) || md5(:customer::text),
  4999, 'USD', 'payment', false, :partner_id, :link_id, :click_event_id, 0, 60, true, 'pending'
)
on conflict (transaction_id) where not is_test do nothing
returning id as sale_id \gset
update customers set is_settled = true where id = :customer_id and not is_settled;
commit;

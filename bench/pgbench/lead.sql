-- Records a lead step by step, as services/tracking/leads/record-lead.ts does for a call with a
-- tracking token. Each lead has its own customer.
\set n :n + 1
\set id :first + :n * :clients + :client_id
begin;
select id, program_id, click_id, partner_id, link_id, click_event_id, attributed_at
from customers
where (program_id, customer_key) = (1::bigint, 'lead-' || :id)
  or (click_id = 'clk_seed_' || :id and names_click)
order by id
for update;
update customers
set customer_key = 'lead-' || :id, key_is_provisional = false
where id = :id;
update customers
set customer_status = 'lead', signup_date = now()
where id = :id;
insert into affiliate_lead_events (
  program_id, customer_id, click_id, customer_key, session_id, page_url,
  partner_id, link_id, click_event_id, final_xact
)
select
  customer.program_id, customer.id, customer.click_id, customer.customer_key, click.session_id,
  click.page_url, customer.partner_id, customer.link_id, customer.click_event_id,
  pg_current_xact_id()
from customers as customer
left join affiliate_click_events as click
  on click.id = customer.click_event_id and click.click_timestamp = customer.attributed_at
where customer.id = :id;
commit;

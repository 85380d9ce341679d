-- The initial rows: a program with 1,000 partners, one link each, and 200,000 customers.
insert into tracking.programs values (1, 1, 'active', 'USD', 60, 'last_click', 'browser');
insert into tracking.partner_programs (program_id, partner_id, version, status)
select 1, i, 1, 'approved' from generate_series(1, 1000) as i;
insert into tracking.referral_links (code, program_id, partner_id)
select 'bench-' || i, 1, i from generate_series(1, 1000) as i;

insert into commissions.programs values (1, 1, 1, 'USD');
insert into commissions.groups (program_id, name, is_default) values (1, 'Default', true);
insert into commissions.policies (
  group_id, version, effective_from, kind, rate_bps, hold_days, auto_approve, products
)
values (1, 1, now(), 'percent', 3000, 15, true, '[]');
insert into commissions.partners select from generate_series(1, 1000);
insert into commissions.partner_programs (
  program_id, partner_id, email, name, group_id, version, final_xact
)
select 1, i, 'partner-' || i || '@example.com', 'Partner ' || i, 1, 1, pg_current_xact_id()
from generate_series(1, 1000) as i;

insert into tracking.affiliate_click_events (
  program_id, click_id, customer_id, partner_id, link_id, window_days, page_url, session_id,
  final_xact
)
select
  1, 'clk_seed_' || i, i, i % 1000 + 1, i % 1000 + 1, 60, 'https://shop.example/', 'session-' || i,
  pg_current_xact_id()
from generate_series(1, 200000) as i;
insert into tracking.customers (
  program_id, click_id, customer_key, partner_id, link_id, click_event_id, attributed_at,
  window_days, customer_status, signup_date
)
select
  1, 'clk_seed_' || i, case when i <= 20000 then 'customer-' || i end, i % 1000 + 1, i % 1000 + 1,
  i, now(), 60, case when i <= 20000 then 'lead' else 'click' end,
  case when i <= 20000 then now() end
from generate_series(1, 200000) as i;
analyze;

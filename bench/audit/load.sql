create schema bench;

-- Writes `size` sales, from number `start` of `total`, with all that they follow from and all that
-- follows from them: a customer with one click each, a commission and its ledger entry. They are
-- spread over the nine days before yesterday, so all commissions are on hold.
create function bench.load_sales(
  program bigint, first_partner bigint, first_link bigint, partners int,
  total bigint, start bigint, size bigint
) returns void language plpgsql as $$
begin
  create temporary table sale on commit drop as
  select
    1000 + i as id,
    'clk_' || lpad(i::text, 26, '0') as click_id,
    'order ' || i as transaction_id,
    1000 + i * 7 % 90000 as amount_cents,
    first_partner + i % partners as partner_id,
    first_link + i % partners as link_id,
    (now() - interval '10 days' + i * (interval '9 days' / total))::timestamptz(3) as sold_at
  from generate_series(start, start + size - 1) as i;

  insert into tracking.customers (
    id, program_id, click_id, customer_status, first_purchase_date, partner_id, link_id,
    click_event_id, attributed_at, window_days, is_settled, created_at
  )
  select
    id, program, click_id, 'conversion', sold_at, partner_id, link_id,
    id, sold_at - interval '1 hour', 60, true, sold_at - interval '1 hour'
  from sale;

  insert into tracking.affiliate_click_events (
    id, program_id, click_id, customer_id, partner_id, link_id, window_days, geo_country,
    device_type, browser_name, page_url, click_timestamp, created_at, final_xact
  )
  select
    id, program, click_id, id, partner_id, link_id, 60, 'DE', 'desktop', 'Firefox',
    'https://shop.example/' || id, sold_at - interval '1 hour', sold_at, pg_current_xact_id()
  from sale;

  insert into tracking.affiliate_sale_events (
    id, program_id, customer_id, click_id, transaction_id, request_hash, amount_cents, currency,
    sale_type, is_recurring, partner_id, link_id, click_event_id, click_age_days, window_days,
    is_attributed, commission_id, converts, state, acknowledged_by, geo_country, device_type,
    browser_name, sale_date, created_at, final_xact
  ) overriding system value
  select
    id, program, id, click_id, transaction_id, md5(transaction_id), amount_cents, 'USD',
    'payment', false, partner_id, link_id, id, 0, 60,
    true, id, true, 'complete', transaction_id, 'DE', 'desktop',
    'Firefox', sold_at, sold_at, pg_current_xact_id()
  from sale;

  insert into commissions.commissions (
    id, sale_id, program_id, partner_id, transaction_id, sale_date, sale_amount_cents,
    sale_currency, policy_id, amount_cents, currency, auto_approve, hold_ends_at, created_at
  ) overriding system value
  select
    sale.id, sale.id, program, partner_id, transaction_id, sold_at, sale.amount_cents,
    'USD', policy.id, round(sale.amount_cents * policy.rate_bps / 10000.0), 'USD', true,
    sold_at + make_interval(hours => 24 * policy.hold_days), sold_at
  from sale, commissions.policies as policy
  join commissions.groups on groups.id = group_id
  where groups.program_id = program;

  insert into commissions.ledger (
    program_id, partner_id, currency, commission_id, kind, amount_cents, created_at
  )
  select program, commission.partner_id, 'USD', commission.id, 'commission',
    commission.amount_cents, commission.created_at
  from sale
  join commissions.commissions as commission using (id)
  order by commission.id;
end
$$;

-- Adds up what the sales of a program count.
create function bench.finish_sales(program bigint) returns void language sql as $$
  insert into commissions.balances (program_id, partner_id, currency, balance_cents)
  select program_id, partner_id, currency, sum(amount_cents)
  from commissions.ledger
  where program_id = program
  group by program_id, partner_id, currency;

  update tracking.referral_links as link
  set clicks = counted.clicks, last_clicked = counted.newest
  from (
    select link_id, count(*) as clicks, max(click_timestamp) as newest
    from tracking.affiliate_click_events
    where program_id = program
    group by link_id
  ) as counted
  where link.id = counted.link_id;

  update tracking.partner_programs as partner
  set clicks = counted.clicks, last_clicked = counted.newest
  from (
    select partner_id, count(*) as clicks, max(click_timestamp) as newest
    from tracking.affiliate_click_events
    where program_id = program
    group by partner_id
  ) as counted
  where partner.program_id = program and partner.partner_id = counted.partner_id;
$$;

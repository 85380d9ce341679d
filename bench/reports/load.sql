create schema bench;

-- Writes rows for `size` clicks, starting at click `start`, into the tables of the services that
-- own them. Customer i has five clicks in a row; every second customer becomes a lead; seven of
-- every hundred buy, and three of those buy a second time. A round loads the clicks from
-- `round_start` to `round_end` and spreads them evenly over the days from `since` to `until`, so
-- each day has buyers at any number of clicks.
create function bench.load(
  program bigint, first_partner bigint, first_link bigint, partners int,
  since timestamptz, until timestamptz,
  round_start bigint, round_end bigint, start bigint, size bigint
) returns void language plpgsql as $$
declare
  click_step interval := (until - since) / (round_end - round_start);
  first_customer bigint := 10 + start / 5;
  first_click bigint := 10 + start;
  first_sale bigint := 10 + start / 50;
begin
  create temporary table customer on commit drop as
  select
    first_customer + i as id,
    'clk_' || upper(lpad(to_hex(first_customer + i), 10, '0') || left(md5(i::text), 16))
      as click_id,
    i,
    i % 2 = 0 as is_lead,
    i % 2 = 0 and (i / 2 + 1) * 7 / 50 > i / 2 * 7 / 50 as is_buyer,
    i / 2 * 7 / 50 as buyer,
    link,
    first_partner + link as partner_id,
    first_link + link as link_id,
    (array['US', 'US', 'US', 'DE', 'GB', 'FR', 'IN', 'BR', 'JP', null])[1 + i % 10] as geo_country,
    (array['desktop', 'mobile', 'mobile', 'tablet', 'bot'])[1 + i % 5] as device_type,
    (array['Chrome', 'Chrome', 'Safari', 'Firefox', 'Edge', null])[1 + i % 6] as browser_name,
    'blog' || link % 100 || '.example' as referrer_host,
    case when i % 4 = 0 then 'campaign ' || i % 50 end as sub_id,
    since + (start - round_start + i * 5) * click_step as came_at
  from
    generate_series(0, size / 5 - 1) as i,
    -- a few links get most of the clicks
    lateral (select floor(partners * power(abs(hashint8(i)::bigint) / 2147483649.0, 2))::int as link)
      as chosen;

  insert into tracking.customers (
    id, program_id, click_id, customer_key, customer_status, signup_date, first_purchase_date,
    partner_id, link_id, click_event_id, attributed_at, window_days, is_settled, created_at
  )
  select
    id, program, click_id, case when is_lead then 'customer ' || id end,
    case when is_buyer then 'conversion' when is_lead then 'lead' else 'click' end,
    case when is_lead then came_at + interval '1 hour' end,
    case when is_buyer then came_at + interval '2 hours' end,
    partner_id, link_id, first_click + i * 5, came_at, 60, is_buyer, came_at
  from customer;

  insert into tracking.affiliate_click_events (
    id, program_id, click_id, customer_id, partner_id, link_id, window_days, affiliate_url,
    page_url, page_title, referrer_url, session_id, user_agent, screen_resolution, viewport_size,
    language, timezone, geo_country, device_type, device_os, browser_name, referrer_host, sub_id,
    click_timestamp, created_at, final_xact
  )
  select
    first_click + i * 5 + n, program, click_id, id, partner_id, link_id, 60,
    'https://shop.example/?aff=bench-' || link,
    'https://shop.example/products/' || i % 1000, 'A product of the shop',
    'https://' || referrer_host || '/articles/' || i % 50, md5(id::text),
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126',
    '1920x1080', '1280x720', 'en-US', 'Europe/Berlin',
    geo_country, device_type, (array['Windows', 'Android', 'iOS', 'macOS', 'Linux'])[1 + i % 5],
    browser_name, referrer_host, sub_id,
    came_at + n * click_step, came_at + n * click_step, pg_current_xact_id()
  from customer, generate_series(0, 4) as n
  order by i, n;

  insert into tracking.affiliate_lead_events (
    program_id, customer_id, click_id, customer_key, session_id, page_url, partner_id, link_id,
    click_event_id, geo_country, device_type, browser_name, referrer_host, sub_id,
    lead_timestamp, created_at, final_xact
  )
  select
    program, id, click_id, 'customer ' || id, md5(id::text),
    'https://shop.example/products/' || i % 1000, partner_id, link_id, first_click + i * 5,
    geo_country, device_type, browser_name, referrer_host, sub_id,
    came_at + interval '1 hour', came_at + interval '1 hour', pg_current_xact_id()
  from customer
  where is_lead
  order by i;

  create temporary table sale on commit drop as
  select
    first_sale - 1 + row_number() over (order by i, n) as sale_id, customer.*, n,
    (array['USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'EUR', 'JPY'])[1 + i / 2 % 10]
      as currency,
    500 + (i * 7919 + n * 104729) % 50000 as amount_cents,
    came_at + interval '2 hours' + n * interval '1 day' as sold_at
  from customer, generate_series(0, 1) as n
  where is_buyer
    and (n = 0 or (buyer + 1) * 3 / 7 > buyer * 3 / 7);

  insert into tracking.affiliate_sale_events (
    id, program_id, customer_id, click_id, customer_key, transaction_id, request_hash,
    amount_cents, currency, sale_type, is_recurring, partner_id, link_id, click_event_id,
    geo_country, device_type, browser_name, referrer_host, sub_id,
    click_age_days, window_days, is_attributed, commission_id, converts, state, acknowledged_by,
    sale_date, created_at, final_xact
  )
  overriding system value
  select
    sale_id, program, id, click_id, 'customer ' || id, 'order ' || sale_id, '',
    amount_cents, currency, 'payment', false, partner_id, link_id, first_click + i * 5,
    geo_country, device_type, browser_name, referrer_host, sub_id,
    n, 60, true, sale_id, n = 0, 'complete', 'bench',
    sold_at, sold_at, pg_current_xact_id()
  from sale;

  insert into commissions.commissions (
    id, sale_id, program_id, partner_id, transaction_id, sale_date, policy_id, amount_cents,
    currency, status, auto_approve, hold_ends_at, created_at
  )
  overriding system value
  select
    sale_id, sale_id, program, partner_id, 'order ' || sale_id, sold_at,
    (
      select policies.id
      from commissions.policies
      join commissions.groups on groups.id = group_id
      where program_id = program
    ),
    (amount_cents * 3 + 5) / 10, currency, 'approved', true, sold_at + interval '15 days', sold_at
  from sale;

  drop table customer, sale;
end
$$;

-- Moves the sequences past the loaded ids, so that rows from the API get free ones, and sets the
-- counters.
create function bench.finish_load(clicks bigint) returns void language sql as $$
  select setval('tracking.customers_id_seq', 100 + clicks / 5);
  select setval('tracking.affiliate_click_events_id_seq', 100 + clicks);
  select setval('tracking.affiliate_sale_events_id_seq', 100 + clicks / 50);
  select setval('commissions.commissions_id_seq', 100 + clicks / 50);
  update tracking.referral_links as link
  set clicks = counted.clicks
  from (
    select link_id, count(*) as clicks from tracking.affiliate_click_events group by link_id
  ) as counted
  where link.id = link_id;
  update tracking.partner_programs as partner
  set clicks = counted.clicks
  from (
    select partner_id, count(*) as clicks from tracking.affiliate_click_events group by partner_id
  ) as counted
  where partner.partner_id = counted.partner_id;
$$;

-- Records a click in its own transaction, as one would write it without batches: look up the link
-- and take the ids, insert the customer and the event, count the click on the partner and on the
-- link.
\set link random(1, :links)
begin;
select
  link.id as link_id, link.program_id as program_id, link.partner_id as partner_id,
  program.cookie_window_days as window_days,
  nextval('customers_id_seq') as customer_id,
  nextval('affiliate_click_events_id_seq') as event_id
from referral_links as link
join programs as program on program.program_id = link.program_id
join partner_programs as partner
  on partner.program_id = link.program_id and partner.partner_id = link.partner_id
where link.code = 'bench-' || :link and link.status = 'active' and partner.status = 'approved' \gset
insert into customers (
  id, program_id, click_id, partner_id, link_id, click_event_id, attributed_at, window_days
)
values (
  :customer_id, :program_id, 'clk_' || lpad(:event_id::text, 26, '0'), :partner_id, :link_id,
  :event_id, now(), :window_days
);
insert into affiliate_click_events (
  id, program_id, click_id, customer_id, partner_id, link_id, window_days,
  affiliate_url, page_url, page_title, referrer_url, session_id,
  user_agent, screen_resolution, viewport_size, language, timezone,
  device_type, device_os, browser_name, final_xact
)
values (
  :event_id, :program_id, 'clk_' || lpad(:event_id::text, 26, '0'), :customer_id, :partner_id,
  :link_id, :window_days,
  'https://shop.example/shoes/running?utm_source=blog&aff=bench-' || :link,
  'https://shop.example/shoes/running?utm_source=blog&aff=bench-' || :link,
  'Running shoes for every season', 'https://blog.example/2026/the-best-running-shoes',
  'session-' || :link,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  '1920x1080', '1280x720', 'en-GB', 'Europe/London',
  'desktop', 'Windows', 'Chrome', pg_current_xact_id()
);
update partner_programs
set clicks = clicks + 1, last_clicked = greatest(last_clicked, now())
where program_id = :program_id and partner_id = :partner_id;
update referral_links
set clicks = clicks + 1, last_clicked = greatest(last_clicked, now())
where id = :link_id;
commit;

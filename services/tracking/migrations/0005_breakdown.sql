-- What reports break down by: the host that a click came from, and the partner's own label in its
-- affiliate_url. Leads and sales keep those of their attributing click, which retention may drop.
alter table affiliate_click_events
  add column referrer_host text,
  add column sub_id text;

alter table affiliate_lead_events
  add column geo_country text,
  add column device_type text,
  add column browser_name text,
  add column referrer_host text,
  add column sub_id text;

alter table affiliate_sale_events
  add column geo_country text,
  add column device_type text,
  add column browser_name text,
  add column referrer_host text,
  add column sub_id text;

-- Of clicks before this, neither host nor label was worked out.
update affiliate_lead_events as lead
set
  geo_country = click.geo_country,
  device_type = click.device_type,
  browser_name = click.browser_name
from affiliate_click_events as click
where click.id = lead.click_event_id;

update affiliate_sale_events as sale
set
  geo_country = click.geo_country,
  device_type = click.device_type,
  browser_name = click.browser_name
from affiliate_click_events as click
where click.id = sale.click_event_id;

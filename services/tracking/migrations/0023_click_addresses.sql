-- oldest compatible: 0022
-- Leads and sales keep the address and the time of their attributing click, which retention may
-- drop: it has the partner's own ids, which postbacks send back.
alter table affiliate_lead_events
  add column affiliate_url text,
  add column clicked_at timestamptz(3);

alter table affiliate_sale_events
  add column affiliate_url text,
  add column clicked_at timestamptz(3);

update affiliate_lead_events as lead
set affiliate_url = click.affiliate_url, clicked_at = click.click_timestamp
from affiliate_click_events as click
where click.id = lead.click_event_id;

update affiliate_sale_events as sale
set affiliate_url = click.affiliate_url, clicked_at = click.click_timestamp
from affiliate_click_events as click
where click.id = sale.click_event_id;

lock table cursors; -- first, as whoever applies a batch does

-- What the attributing click was like, as fixed when the event was recorded; and for a commission
-- what its sale says. link_id null: the sale is not known yet.
alter table events
  add column referrer_host text,
  add column sub_id text;

alter table commissions
  add column link_id bigint,
  add column geo_country text,
  add column device_type text,
  add column browser_name text,
  add column referrer_host text,
  add column sub_id text;

create index on events (id) where event_type = 'conversion';
create index on commissions (sale_id);

-- What events and commissions add up to, by day and by each value that they have. One that is
-- absent is ''. Clicks and leads stand under the currency ''; sales and commissions under theirs.
-- The key begins with the value: an export reads value after value.
create table daily_breakdown (
  program_id bigint,
  dimension text collate "C",
  value text collate "C",
  day date,
  currency text,
  clicks bigint not null default 0,
  leads bigint not null default 0,
  conversions bigint not null default 0,
  revenue_cents numeric not null default 0,
  commission_cents numeric not null default 0,
  primary key (program_id, dimension, value, day, currency)
) with (fillfactor = 80);

create index on daily_breakdown (program_id, dimension, day);

grant truncate on daily_breakdown to :role;

-- The feeds say more now: all of it is read again, as rebuild-reports does.
update cursors set cursor = null, applied_until = null;
truncate daily, hourly, daily_money, events, partners, commissions, conversions;

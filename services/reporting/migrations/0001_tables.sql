-- The read model. Nothing here is a truth: all of it comes from the feeds of tracking and
-- commissions, and rebuild-reports makes it anew.

create table cursors (
  feed text primary key check (feed in ('clicks', 'leads', 'sales', 'partners', 'commissions')),
  cursor jsonb, -- null: nothing is read yet
  applied_until timestamptz(3) -- what had been answered by then is in the tables below
);

insert into cursors (feed)
values ('clicks'), ('leads'), ('sales'), ('partners'), ('commissions');

-- One row for each click, lead and conversion (a sale), in the order in which they are listed.
create table events (
  program_id bigint not null,
  timestamp timestamptz(3) not null, -- click_timestamp, lead_timestamp or sale_date
  event_type text collate "C" not null check (event_type in ('click', 'lead', 'conversion')),
  id bigint not null,
  customer_id bigint not null,
  partner_id bigint not null, -- as fixed when it was recorded
  link_id bigint not null,
  click_id text not null,
  customer_key text,
  session_id text,
  page_url text,
  referrer_url text,
  geo_country text,
  geo_region text,
  geo_city text,
  device_type text,
  device_os text,
  browser_name text,
  transaction_id text,
  amount_cents bigint,
  currency text,
  sale_type text,
  payment_status text,
  is_recurring boolean,
  converts boolean not null default false, -- the sale was its customer's first
  created_at timestamptz(3) not null,
  primary key (program_id, timestamp, event_type, id)
) partition by range (timestamp);

create index on events (program_id, event_type, timestamp, id) where event_type <> 'click';

create table events_other partition of events default;

-- Makes the partition of a month (UTC). The service's role may call it: it owns no table, so it
-- could not make them itself.
create function ensure_event_partition(month date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  schema oid := 'reporting'::regnamespace;
  name text := 'events_' || to_char(month, 'YYYY_MM');
  first timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next timestamptz := (date_trunc('month', month::timestamp) + interval '1 month')
    at time zone 'UTC';
begin
  if exists (select from pg_class where relname = name and relnamespace = schema) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('reporting.ensure_event_partition'));
  if exists (select from pg_class where relname = name and relnamespace = schema) then
    return; -- whoever held the lock has made it; to_regclass() might not have heard of it yet
  end if;
  execute format(
    'create table reporting.%I partition of reporting.events for values from (%L) to (%L)',
    name, first, next
  );
end
$$;

-- An event of a customer is converted if it came no later than this.
create table conversions (
  customer_id bigint primary key,
  converted_at timestamptz(3) not null
);

create table partners ( -- partner-program records
  id bigint primary key,
  program_id bigint not null,
  created_at timestamptz(3) not null
);

create index on partners (program_id, created_at);

create table commissions (
  id bigint primary key,
  program_id bigint not null,
  partner_id bigint not null,
  sale_id bigint not null,
  amount_cents bigint not null,
  currency text not null,
  created_at timestamptz(3) not null
);

create index on commissions (program_id, created_at);

-- The sums of the tables above, kept in the transactions that fill them. Days are UTC.
create table daily (
  program_id bigint,
  day date,
  clicks bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  conversions bigint not null default 0, -- the sales that were their customer's first
  partners bigint not null default 0,
  primary key (program_id, day)
) with (fillfactor = 50); -- room to count without touching the index

-- The same for the hours of a day: a deep page of the list finds its place by them.
create table hourly (
  program_id bigint,
  hour timestamptz(3),
  clicks bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  primary key (program_id, hour)
) with (fillfactor = 50);

create table daily_money (
  program_id bigint,
  day date,
  currency text,
  revenue_cents numeric not null default 0, -- a sum may leave the bigints
  commission_cents numeric not null default 0,
  primary key (program_id, day, currency)
) with (fillfactor = 50);

grant truncate on daily, hourly, daily_money, events, partners, commissions, conversions to :role;

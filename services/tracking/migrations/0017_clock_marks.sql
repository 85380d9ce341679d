-- oldest compatible: 0011
-- How far the time has come, kept by whoever watches the clock of this database (lib/db/watch-clock.ts).
-- After a step of the clock it goes on as before until the step is believed.
create table clock_marks (
  is_only boolean primary key default true check (is_only),
  steady_at timestamptz(3) not null, -- written every ten seconds
  stepped_at timestamptz(3) -- the time before a step that is in doubt; null: none is
);

-- As before (0009_retention.sql), with the time by which clicks are old: what has been dropped is gone,
-- so the clock alone does not decide it.
create function drop_old_clicks(retention_months int, as_of timestamptz) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC' as $$ -- a month is added in the session's zone
declare
  boundary timestamptz := date_trunc('month', least(now(), as_of) - make_interval(months => retention_months));
  oldest text;
begin
  if retention_months < 1 then
    raise 'Clicks are kept for a month at least.';
  end if;
  select relname into oldest
  from pg_inherits
  join pg_class on pg_class.oid = inhrelid
  where inhparent = 'tracking.affiliate_click_events'::regclass
    and relname ~ '_\d{4}_\d\d$'
    and to_date(right(relname, 7), 'YYYY_MM') < boundary
  order by relname
  limit 1;
  if oldest is not null then
    boundary := to_date(right(oldest, 7), 'YYYY_MM') + interval '1 month';
  end if;

  insert into tracking.dropped_clicks (program_id, dimension, value, starts_at, clicks, ids)
  select
    program_id, dimension, coalesce(value, '') as value,
    date_trunc(case dimension when 'hour' then 'hour' else 'day' end, click_timestamp) as starts_at,
    count(*), sum(id)
  from tracking.affiliate_click_events
  cross join lateral (
    values
      ('hour', null),
      ('partner', partner_id::text),
      ('link', link_id::text),
      ('country', geo_country),
      ('device', device_type),
      ('browser', browser_name),
      ('referrer', referrer_host),
      ('sub_id', sub_id)
  ) as counted (dimension, value)
  where click_timestamp < boundary and not is_test
  group by 1, 2, 3, 4
  on conflict (program_id, dimension, value, starts_at) do update
  set
    clicks = dropped_clicks.clicks + excluded.clicks,
    ids = dropped_clicks.ids + excluded.ids,
    final_xact = excluded.final_xact;

  delete from tracking.affiliate_click_events_other
  where click_timestamp < boundary;

  if oldest is not null then -- at the very end: clicks wait from here to the commit
    execute format('drop table tracking.%I', oldest);
  end if;
  return oldest is not null;
end
$$;

-- How many clicks tracking has dropped, by hour, and by day and each value that they had. Whole
-- months: clicks are kept from the month after the newest of these hours on.
create table dropped_clicks (
  program_id bigint,
  dimension text collate "C", -- 'hour', or one of daily_breakdown
  value text collate "C",
  starts_at timestamptz(3), -- the hour, or the day (UTC)
  clicks bigint not null,
  ids numeric not null,
  primary key (program_id, dimension, value, starts_at)
);

create index on dropped_clicks (starts_at);

grant truncate on dropped_clicks to :role;

insert into cursors (feed)
values ('dropped_clicks');

-- Gives back the room of clicks before a time: one month's partition is made anew with the other
-- events, which are few. False: there is none with such clicks. The service's role may call it: it
-- owns no table, so it could not make one itself.
create function drop_click_events(before timestamptz) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC' as $$ -- a month is added in the session's zone
declare
  name text;
  month date;
  has_clicks boolean;
begin
  for name, month in
    select relname, to_date(right(relname, 7), 'YYYY_MM')
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = 'reporting.events'::regclass
      and relname ~ '_\d{4}_\d\d$'
      and to_date(right(relname, 7), 'YYYY_MM') < before
    order by relname
  loop
    execute format('select exists (select from reporting.%I where event_type = ''click'')', name)
      into has_clicks;
    continue when not has_clicks;

    lock table reporting.daily in access exclusive mode; -- a report under way needs the old table
    execute format('alter table reporting.events detach partition reporting.%I', name);
    execute format('alter table reporting.%I rename to events_with_clicks', name);
    execute format('create table reporting.%I (like reporting.events including all)', name);
    execute format(
      'insert into reporting.%I select * from reporting.events_with_clicks
        where event_type <> ''click''',
      name
    );
    execute format(
      'alter table reporting.events attach partition reporting.%I for values from (%L) to (%L)',
      name, month::timestamptz, month + interval '1 month'
    );
    drop table reporting.events_with_clicks;
    return true;
  end loop;

  delete from reporting.events_other
  where event_type = 'click' and timestamp < before;
  return false;
end
$$;

-- oldest compatible: 0011
-- Creates the partitions of this month and the next two, and of each month whose clicks stand in
-- the default partition because the month had none when they came: the clock was wrong, or the
-- service slept. Those clicks move into their month. While they do, clicks of other months are
-- stored as ever. One replica does this at a time, and none while clicks are dropped: the lock is the
-- first one of drop-old-clicks.ts too.
create or replace function ensure_click_partitions() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC' as $$ -- a month is added in the session's zone
declare
  month timestamptz;
  name text;
begin
  begin
    lock table tracking.dropped_clicks in share row exclusive mode nowait;
  exception when lock_not_available then
    return;
  end;
  for month in
    select date_trunc('month', now()) + make_interval(months => ahead)
    from generate_series(0, 2) as ahead
    union
    select date_trunc('month', click_timestamp)
    from tracking.affiliate_click_events_other
    order by 1
  loop
    name := 'affiliate_click_events_' || to_char(month, 'YYYY_MM');
    continue when exists (
      select from pg_class where relname = name and relnamespace = 'tracking'::regnamespace
    );
    execute format(
      'create table tracking.%I (like tracking.affiliate_click_events
        including defaults including constraints including indexes)',
      name
    );
    lock table tracking.affiliate_click_events_other in access exclusive mode;
    execute format(
      'with moved as (
        delete from tracking.affiliate_click_events_other
        where click_timestamp >= %L and click_timestamp < %L
        returning *
      )
      insert into tracking.%I select * from moved',
      month, month + interval '1 month', name
    );
    -- Unlike "create table … partition of", this does not make clicks wait.
    execute format(
      'alter table tracking.affiliate_click_events attach partition tracking.%I
        for values from (%L) to (%L)',
      name, month, month + interval '1 month'
    );
  end loop;
end
$$;

-- So that the first click finds its partition. Later on the service calls it (partitions.ts).
select ensure_click_partitions();

-- oldest compatible: 0004
-- How far the time has come, kept by whoever watches the clock of this database (lib/db/watch-clock.ts).
-- After a step of the clock it goes on as before until the step is believed.
create table clock_marks (
  is_only boolean primary key default true check (is_only),
  steady_at timestamptz(3) not null, -- written every ten seconds
  stepped_at timestamptz(3) -- the time before a step that is in doubt; null: none is
);

-- Clicks that came after retention had dropped their month, in hours of which it has no totals: no
-- report counts them until tracking drops them too, and sends new totals.
create table left_out_clicks (
  program_id bigint,
  hour timestamptz(3),
  clicks bigint not null,
  primary key (program_id, hour)
);

grant truncate on left_out_clicks to :role;

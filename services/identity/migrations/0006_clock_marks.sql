-- oldest compatible: 0004
-- How far the time has come, kept by whoever watches the clock of this database (lib/db/watch-clock.ts).
-- After a step of the clock it goes on as before until the step is believed.
create table clock_marks (
  is_only boolean primary key default true check (is_only),
  steady_at timestamptz(3) not null, -- written every ten seconds
  stepped_at timestamptz(3) -- the time before a step that is in doubt; null: none is
);

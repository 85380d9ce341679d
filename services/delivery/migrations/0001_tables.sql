-- Who has changed what, written in the transaction of the change. identity reads them as a feed.
create table audit_entries (
  id bigint generated always as identity primary key,
  entry_key uuid not null default gen_random_uuid(),
  workspace_id bigint not null,
  program_id bigint, -- null: it is of the workspace
  actor_kind text not null check (actor_kind in ('user', 'key', 'none', 'system')),
  actor_id bigint,
  actor_address text, -- truncated
  action text not null,
  subject_type text not null,
  subject_id bigint not null,
  details jsonb not null, -- the fields that changed, as they are now, without secrets
  request_id text not null,
  at timestamptz(3) not null default now(),
  final_xact xid8 not null default pg_current_xact_id(),
  check ((actor_kind in ('user', 'key')) = (actor_id is not null))
);

revoke update, delete on audit_entries from :role;

create index on audit_entries (final_xact, id);

-- How far the time has come, kept by whoever watches the clock of this database (lib/db/watch-clock.ts).
-- After a step of the clock it goes on as before until the step is believed.
create table clock_marks (
  is_only boolean primary key default true check (is_only),
  steady_at timestamptz(3) not null, -- written every ten seconds
  stepped_at timestamptz(3) -- the time before a step that is in doubt; null: none is
);

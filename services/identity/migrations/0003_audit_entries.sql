-- The audit log: who has changed what. Entries of identity's own are written in the transaction of
-- the change, those of tracking and commissions are read from their feeds.
create table audit_entries (
  id bigint generated always as identity primary key,
  entry_key uuid not null unique default gen_random_uuid(), -- the owner's: read twice, kept once
  workspace_id bigint not null references workspaces,
  program_id bigint, -- null: it is of the workspace
  actor_kind text not null check (actor_kind in ('user', 'key', 'none', 'system')),
  actor_id bigint,
  actor_address text, -- truncated
  action text not null,
  subject_type text not null,
  subject_id bigint not null,
  details jsonb not null, -- the fields that changed, as they are now
  request_id text not null,
  at timestamptz(3) not null default now(),
  check ((actor_kind in ('user', 'key')) = (actor_id is not null))
);

revoke update, delete on audit_entries from :role;

create index on audit_entries (workspace_id, at desc, id desc);

-- How far the feeds of the others have been read.
create table cursors (
  feed text primary key check (feed in ('tracking', 'commissions')),
  cursor jsonb, -- null: nothing is read yet
  applied_until timestamptz(3) -- what had been answered by then is in the log
);

insert into cursors (feed)
values ('tracking'), ('commissions');

-- What the log will say of a change, whoever brings it to its end. Null: nothing that is shown
-- changes.
alter table program_changes add column entry jsonb;

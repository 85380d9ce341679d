-- Who has changed what, written in the transaction of the change. identity reads them as a feed.
create table audit_entries (
  id bigint generated always as identity primary key,
  entry_key uuid not null default gen_random_uuid(),
  program_id bigint not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'none', 'system')),
  actor_id bigint,
  actor_address text, -- truncated
  action text not null,
  subject_type text not null,
  subject_id bigint not null,
  details jsonb not null, -- the fields that changed, as they are now
  request_id text not null,
  at timestamptz(3) not null default now(),
  final_xact xid8 not null default pg_current_xact_id(),
  check ((actor_kind in ('user', 'key')) = (actor_id is not null))
);

revoke update, delete on audit_entries from :role;

create index on audit_entries (final_xact, id);

-- What the log will say of a proposed change, whoever completes it. Null: nothing that is shown
-- changes.
alter table partner_programs add column proposed_entry jsonb;
alter table partner_programs add check (proposed is not null or proposed_entry is null);

-- oldest compatible: 0001
-- Where an advertiser receives events.
create table webhook_endpoints (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0), -- '*': all types
  program_ids bigint[], -- null: every program of the workspace
  payload text not null check (payload in ('full', 'thin')),
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  created_at timestamptz(3) not null default now()
);

create index on webhook_endpoints (workspace_id, id);

-- What events are signed with, sealed (lib/encryption.ts). At most two of an endpoint are valid.
create table webhook_secrets (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  sealed text not null,
  masked text not null,
  created_at timestamptz(3) not null default now(),
  valid_until timestamptz(3) -- null: the current secret; else the one before, until its overlap ends
);

create unique index on webhook_secrets (endpoint_id) where valid_until is null;
create unique index on webhook_secrets (endpoint_id) where valid_until is not null;
create index on webhook_secrets (valid_until) where valid_until is not null;

create table users (
  id bigint generated always as identity primary key,
  email text not null, -- as its owner writes it
  email_folded text not null unique, -- addresses compare without regard to case
  name text not null,
  password_hash text not null,
  created_at timestamptz(3) not null default now()
);

create table workspaces (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz(3) not null default now()
);

create table memberships (
  workspace_id bigint not null references workspaces,
  user_id bigint not null references users,
  role text not null check (role in ('owner', 'admin', 'analyst', 'billing')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);

create index on memberships (user_id, created_at, workspace_id);

-- A signed-in browser or script. Signing out deletes it.
create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  token_hash text not null unique,
  last_used_at timestamptz(3) not null default now(), -- to the minute (find-caller.ts)
  created_at timestamptz(3) not null default now()
);

create index on sessions (last_used_at);

-- Version 0 is a creation under way: nobody is shown it, and it has no settings yet.
create table programs (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces,
  version bigint not null default 0, -- of the last change that came to an end
  name text,
  slug text unique,
  website_url text,
  status text check (status in ('active', 'paused', 'archived')),
  currency text,
  attribution_model text check (attribution_model in ('last_click', 'first_click')),
  cookie_window_days int check (cookie_window_days between 1 and 365),
  lead_auth text check (lead_auth in ('browser', 'server')),
  token_hash text not null unique,
  api_token_masked text not null,
  published_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (
    version = 0
    or (
      name, slug, status, currency, attribution_model, cookie_window_days, lead_auth
    ) is not null
  )
);

create index on programs (workspace_id, id);

-- The settings that a program is to have from `version` on. While a change is open, tracking and
-- commissions may know of it already (program-changes.ts).
create table program_changes (
  program_id bigint not null references programs on delete cascade,
  version bigint not null,
  settings jsonb not null,
  state text not null default 'open' check (state in ('open', 'applied', 'refused')),
  refusal text,
  try_after timestamptz not null default now() + interval '5 seconds', -- of the sweeper
  created_at timestamptz(3) not null default now(),
  primary key (program_id, version),
  check ((state = 'refused') = (refusal is not null))
);

create unique index on program_changes (program_id) where state = 'open'; -- one at a time
create index on program_changes (try_after) where state = 'open';

-- Who has a slug, or is about to: reserved with the change that asks for it, so that of two
-- programs that race for it only one gets as far as telling others.
create table program_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  program_id bigint not null references programs on delete cascade
);

create index on program_slugs (program_id);

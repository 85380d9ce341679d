-- Management API keys. A revoked one is kept for audit.
create table api_keys (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces,
  role text not null check (role in ('owner', 'admin')), -- of who gave it: no key may do more
  name text not null,
  key_hash text not null unique,
  key_masked text not null,
  scopes text[] not null check (
    scopes <@ array[
      '*', 'program:list', 'program:read', 'program:create', 'program:update', 'program:delete',
      'program:go_live', 'program:regenerate-token', 'dashboard:view'
    ]
  ),
  program_scope bigint[], -- null: every program of the workspace
  expires_at timestamptz(3), -- null: never
  status text not null default 'active' check (status in ('active', 'revoked')),
  last_used_at timestamptz(3), -- to the minute
  created_at timestamptz(3) not null default now()
);

create index on api_keys (workspace_id, id);

-- To become a member. It holds while whoever sent it may still send it.
create table invitations (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces,
  email text not null,
  email_folded text not null,
  role text not null check (role in ('owner', 'admin', 'analyst', 'billing')),
  invited_by bigint not null references users,
  token_hash text not null unique,
  expires_at timestamptz(3) not null default now() + interval '30 days',
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

-- Inviting again replaces the token.
create unique index on invitations (workspace_id, email_folded) where accepted_at is null;

-- One person over all the programs that he or she is a partner of.
create table partner_accounts (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users,
  created_at timestamptz(3) not null default now()
);

create table partner_invitations (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  partner_id bigint not null,
  email text not null, -- as the program wrote it
  token_hash text not null unique,
  expires_at timestamptz(3) not null default now() + interval '30 days',
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create unique index on partner_invitations (program_id, partner_id) where accepted_at is null;

-- Whose a partner-program record is. commissions keeps a copy, and is told until it has it.
create table partner_bindings (
  program_id bigint not null references programs,
  partner_id bigint not null,
  account_id bigint not null references partner_accounts,
  is_told boolean not null default false,
  try_after timestamptz not null default now() + interval '5 seconds', -- of the sweeper
  created_at timestamptz(3) not null default now(),
  primary key (program_id, partner_id)
);

create index on partner_bindings (account_id);
create index on partner_bindings (try_after) where not is_told;

-- oldest compatible: 0001
-- Requests to the trackers of partners and advertisers, made from templates. A partner's own are of
-- its account. The others were set up by an advertiser: for one partner, or for all of the program.
create table postbacks (
  id bigint generated always as identity primary key,
  account_id bigint, -- null: set up by an advertiser
  workspace_id bigint, -- of the program; null: it is of an account
  program_id bigint, -- null: every program of the account
  partner_id bigint, -- null: every partner, or the account's
  url text not null,
  method text not null check (method in ('GET', 'POST')),
  body_type text check (body_type in ('form', 'json')),
  body_template text,
  events text[] not null check (cardinality(events) > 0),
  dialect text not null check (dialect in ('tributary', 'everflow', 'tune', 'affise')),
  status text not null check (status in ('enabled', 'disabled')),
  created_at timestamptz(3) not null default now(),
  check ((account_id is null) = (workspace_id is not null)),
  check (workspace_id is null or program_id is not null),
  check (account_id is null or partner_id is null),
  check ((body_type is null) = (body_template is null)),
  check (method = 'POST' or body_type is null)
);

create index on postbacks (account_id, id) where account_id is not null;
create index on postbacks (program_id, partner_id, id) where account_id is null;

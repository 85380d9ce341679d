-- oldest compatible: 0001
-- What has happened, as the owners' feeds of outgoing events say. An event is numbered by identity,
-- then published: only then is it in the event log and sent.
create table events (
  id bigint generated always as identity primary key,
  event_key uuid not null unique, -- the owner's: read twice, kept once
  program_id bigint not null,
  workspace_id bigint, -- null until it is numbered
  partner_id bigint, -- null: it is about no partner
  type text not null,
  data jsonb not null, -- the object as the API shows it
  previous jsonb, -- its changed fields, as they were; null: nothing existed before
  at timestamptz(3) not null,
  sequence bigint, -- in the program, without gaps; null until it is numbered
  published_at timestamptz(3),
  unique (program_id, sequence),
  check ((workspace_id is null) = (sequence is null)),
  check (published_at is null or sequence is not null)
);

create index on events (id) where published_at is null;

-- The last event in the log of each program: the next one follows it.
create table event_logs (
  program_id bigint primary key,
  last_sequence bigint not null check (last_sequence >= 0)
);

-- How far the feeds of the others have been read.
create table cursors (
  feed text primary key, -- the service's name
  cursor jsonb, -- null: nothing is read yet
  applied_until timestamptz(3) -- what had been answered by then is in events
);

insert into cursors (feed)
values ('identity'), ('tracking'), ('commissions');

-- Rows of a feed that could not be applied. They are tried again until they can be.
create table set_aside (
  id bigint generated always as identity primary key,
  feed text not null,
  row text not null, -- JSON, as the owner of the feed sent it
  reason text not null, -- of the last try
  tries int not null default 1,
  set_aside_at timestamptz(3) not null default now(),
  tried_at timestamptz(3) not null default now()
);

create index on set_aside (tried_at);

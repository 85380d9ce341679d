-- oldest compatible: 0001
-- Whom deliveries go to, and what the queue must know of it. It outlives its endpoint until its
-- deliveries are deleted.
create table receivers (
  id bigint generated always as identity primary key,
  endpoint_id bigint unique references webhook_endpoints on delete set null,
  workspace_id bigint not null,
  host text not null, -- of the URL, with its port
  is_proven boolean not null default false, -- the last attempt succeeded
  failing_since timestamptz(3), -- the first failed attempt after the last success; null: there is none
  one_at_a_time_until timestamptz(3), -- null: it has not complained of too many requests
  is_narrowed boolean not null default false -- what is pending may be unwanted by now
);

create index on receivers (id) where is_narrowed;
create index on receivers (failing_since) where failing_since is not null;

insert into receivers (endpoint_id, workspace_id, host)
select id, workspace_id, lower(substring(url from '^[a-zA-Z]+:/*([^/?#]+)'))
from webhook_endpoints;

-- What is or was delivered: the queue and the log. Bodies are made from the event at each attempt.
create table deliveries (
  id bigint generated always as identity primary key,
  receiver_id bigint not null references receivers,
  event_id bigint references events on delete cascade,
  own_event jsonb, -- an event that is not in the event log: a test, or one about an endpoint
  type text not null,
  program_id bigint, -- null: it is of the workspace
  payload text check (payload in ('full', 'thin')), -- kept, so that each attempt has the same bytes
  status text not null check (status in ('pending', 'delivered', 'failed', 'skipped')),
  tries int not null default 0, -- attempts since it was queued or last replayed
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (event_id, receiver_id),
  check ((event_id is null) <> (own_event is null)),
  check ((status = 'pending') = (next_attempt_at is not null))
);

create index on deliveries (receiver_id, next_attempt_at) where status = 'pending';
create index on deliveries (receiver_id, id);
create index on deliveries (created_at) where event_id is null; -- for pruning

-- Every attempt that has ended.
create table attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references deliveries on delete cascade,
  at timestamptz(3) not null,
  response_status int, -- null: no response came
  latency_ms integer not null,
  error text, -- a sentence; null: a response came
  response_excerpt text,
  signature text -- null: it ended before it was signed, or is not signed
);

create index on attempts (delivery_id);

-- The attempts in progress, over all replicas. The limits count these rows, so they reference nothing:
-- an attempt goes on when its endpoint is deleted.
create table leases (
  delivery_id bigint primary key,
  receiver_id bigint not null,
  workspace_id bigint not null,
  host text not null,
  is_proven boolean not null,
  token uuid not null, -- of the replica's claim: an outcome counts only with it
  until timestamptz(3) not null -- afterwards the replica is given up, and the delivery is claimed again
);

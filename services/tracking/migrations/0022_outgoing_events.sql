-- What has happened, for webhooks and postbacks, written in the transaction of the change. delivery
-- reads it as a feed.
create table outgoing_events (
  id bigint generated always as identity primary key,
  event_key uuid not null default gen_random_uuid(),
  program_id bigint not null,
  partner_id bigint,
  customer_id bigint,
  type text not null,
  data jsonb not null, -- the object as the API shows it
  previous jsonb, -- its changed fields, as they were
  at timestamptz(3) not null default now(),
  final_xact xid8 not null default pg_current_xact_id()
);

create index on outgoing_events (final_xact, id);

create index on outgoing_events (customer_id); -- for erasures

-- What a payment processor has told, each event once: a replay finds its row. Kept of it is only
-- what is to be done, until it is. A refund waits for its sale (processor-events.ts).
create table processor_events (
  id bigint generated always as identity primary key,
  program_id bigint not null,
  event_id text not null, -- the processor's
  type text not null, -- the processor's
  request_id text not null default gen_random_uuid()::text, -- it is applied as this request
  reading jsonb, -- what is to be done (stripe-event.ts); null: nothing any more
  payment text, -- what a refund names; null: it is none
  state text not null check (state in ('waiting', 'applied', 'ignored')),
  reason text, -- why it is ignored
  tries int not null default 0, -- of the sweeper
  try_after timestamptz not null default now() + interval '5 seconds',
  created_at timestamptz(3) not null default now(),
  unique (program_id, event_id),
  check ((state = 'waiting') = (reading is not null)),
  check ((state = 'ignored') = (reason is not null))
);

create index on processor_events (try_after) where state = 'waiting';
create index on processor_events (program_id, payment) where state = 'waiting';

-- A payment by which refunds are told, and the sale that it paid where that is not its own
-- transaction_id: a subscription's sale is its invoice.
create table processor_payments (
  program_id bigint not null,
  payment text not null,
  transaction_id text, -- null: none but its own
  primary key (program_id, payment)
);

create index on processor_payments (program_id, transaction_id) where transaction_id is not null;

-- The refunds of a payment, each once. A total says how much was refunded so far and names no
-- refund: so each row takes only what those before have not (processor-refunds.ts).
create table processor_refunds (
  program_id bigint not null,
  refund_id text not null,
  payment text not null,
  event bigint not null references processor_events,
  is_total boolean not null,
  amount_cents bigint not null check (amount_cents > 0),
  taken_cents bigint not null check (taken_cents >= 0),
  primary key (program_id, refund_id),
  foreign key (program_id, payment) references processor_payments
);

create index on processor_refunds (program_id, payment);
create index on processor_refunds (event);

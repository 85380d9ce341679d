-- What a commission must know of a program. identity owns it and tells of each change.
create table programs (
  program_id bigint primary key,
  version bigint not null,
  workspace_id bigint not null,
  currency text not null
);

-- Partners of one group earn by one policy.
create table groups (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  name text not null,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  unique (program_id, id)
);

create unique index on groups (program_id) where is_default; -- every program has one

-- Append-only: an edit is a new version, and a commission keeps the one it was made under.
create table policies (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups,
  version int not null,
  effective_from timestamptz(3) not null,
  kind text not null check (kind in ('percent', 'fixed')),
  rate_bps int check (rate_bps between 0 and 10000),
  amount_cents bigint check (amount_cents >= 0), -- in the program's currency
  duration_months int check (duration_months >= 0), -- null: for a lifetime; 0: no renewal earns
  hold_days int not null check (hold_days between 0 and 90),
  auto_approve boolean not null,
  products jsonb not null, -- [{product_id, kind, rate_bps | amount_cents}]
  created_at timestamptz(3) not null default now(),
  unique (group_id, version),
  check ((kind = 'percent') = (rate_bps is not null)),
  check ((kind = 'fixed') = (amount_cents is not null))
);

revoke update, delete on policies from :role;

-- One for each partner-program record so far: no two are known to be the same person.
create table partners (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now()
);

-- A partner in a program, by the name that the program gave. tracking holds a copy of the status,
-- and is told of a change before it counts here: meanwhile the change stands in `proposed`.
create table partner_programs (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs,
  partner_id bigint not null references partners,
  email text not null,
  name text not null,
  group_id bigint not null,
  status text not null default 'approved' check (status in ('approved', 'suspended', 'removed')),
  version bigint not null default 0, -- 0: tracking may not know it yet, and nobody is shown it
  is_withdrawn boolean not null default false, -- its creation came to nothing: soon deleted
  proposed jsonb, -- {status, group_id}: what the next version will be
  try_after timestamptz not null default now() + interval '5 seconds', -- of the sweeper
  created_at timestamptz(3) not null default now(),
  final_xact xid8, -- the transaction that made it visible
  unique (program_id, partner_id),
  foreign key (program_id, group_id) references groups (program_id, id),
  check ((version = 0) = (final_xact is null)),
  check (version > 0 or proposed is null),
  check (version = 0 or not is_withdrawn)
);

create unique index on partner_programs (program_id, lower(email));
create index on partner_programs (try_after) where version = 0 or proposed is not null;
create index on partner_programs (final_xact, id) where final_xact is not null;

create table commissions (
  id bigint generated always as identity primary key,
  sale_id bigint not null unique, -- a sale earns once, however often it is asked for
  program_id bigint not null,
  partner_id bigint not null,
  transaction_id text not null,
  sale_date timestamptz(3) not null,
  policy_id bigint not null references policies,
  amount_cents bigint not null check (amount_cents >= 0), -- as earned: refunds do not change it
  currency text not null,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded')),
  auto_approve boolean not null, -- false: somebody has to approve it
  hold_ends_at timestamptz(3) not null,
  paid_at timestamptz(3), -- a refund of a paid one keeps it
  refunded_cents bigint not null default 0 check (refunded_cents >= 0), -- of the sale
  deducted_cents bigint not null default 0, -- of the commission, before any clamp
  refund_reason text,
  rejection_reason text,
  created_at timestamptz(3) not null default now(),
  final_xact xid8 not null default pg_current_xact_id(),
  foreign key (program_id, partner_id) references partner_programs (program_id, partner_id),
  check (deducted_cents between 0 and amount_cents),
  check (status <> 'paid' or paid_at is not null)
);

create index on commissions (program_id, id);
create index on commissions (program_id, partner_id, id);
create index on commissions (hold_ends_at) where status = 'pending' and auto_approve;
create index on commissions (final_xact, id);

-- The refunds that took something back. The same request has the same answer.
create table refunds (
  id bigint generated always as identity primary key,
  request_id text not null unique,
  commission_id bigint not null references commissions,
  refund_id text, -- the advertiser's
  status text not null check (status in ('reversed', 'refunded')),
  refund_cents bigint not null check (refund_cents >= 0), -- of the sale
  deduction_cents bigint not null check (deduction_cents >= 0), -- before the clamp
  refund_reason text,
  created_at timestamptz(3) not null default now(),
  unique nulls not distinct (commission_id, refund_id)
);

-- Append-only. A balance is at every moment the sum of its entries.
create table ledger (
  id bigint generated always as identity primary key,
  program_id bigint not null,
  partner_id bigint not null,
  currency text not null,
  commission_id bigint not null references commissions,
  kind text not null
    check (kind in ('commission', 'deduction', 'rejection', 'payout', 'clamp')),
  refund_id bigint references refunds, -- null: no refund is the cause
  amount_cents bigint not null,
  created_at timestamptz(3) not null default now(),
  unique nulls not distinct (commission_id, kind, refund_id),
  check (sign(amount_cents) in (0, case when kind in ('commission', 'clamp') then 1 else -1 end))
);

revoke update, delete on ledger from :role;

create index on ledger (program_id, partner_id, currency);

create table balances (
  program_id bigint not null,
  partner_id bigint not null,
  currency text not null,
  balance_cents numeric not null, -- a sum of many bigints may be none
  primary key (program_id, partner_id, currency)
) with (fillfactor = 50); -- updated in place by every sale

-- What is to be told, written together with what it tells of, and delivered afterwards.
create table notifications (
  id bigint generated always as identity primary key,
  program_id bigint not null,
  recipient text not null check (recipient in ('partner', 'advertiser')),
  workspace_id bigint, -- the advertiser's
  partner_id bigint,
  kind text not null
    check (kind in ('commission_reversed', 'commission_refunded', 'paid_commission_refunded')),
  commission_id bigint not null references commissions,
  refund_id bigint references refunds,
  message text not null,
  created_at timestamptz(3) not null default now(),
  delivered_at timestamptz(3),
  unique nulls not distinct (commission_id, kind, refund_id),
  check ((recipient = 'partner') = (partner_id is not null)),
  check ((recipient = 'advertiser') = (workspace_id is not null))
);

-- Partners hear of each decision about their money, and whoever is told says that it was read.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'commission_rejected', 'commission_paid', 'commission_reversed', 'commission_refunded',
    'paid_commission_refunded'
  )
);

alter table notifications add column read_at timestamptz(3); -- by one of a workspace's members

create index on notifications (partner_id, id) where partner_id is not null;
create index on notifications (partner_id, id) where partner_id is not null and read_at is null;
create index on notifications (workspace_id, id) where workspace_id is not null;
create index on notifications (workspace_id, id) where workspace_id is not null and read_at is null;

-- Nobody has been told so far.
insert into notifications (
  program_id, recipient, partner_id, kind, commission_id, message, created_at
)
select
  commission.program_id,
  'partner',
  commission.partner_id,
  case kind when 'payout' then 'commission_paid' else 'commission_rejected' end,
  commission.id,
  case kind
    when 'payout' then format('Your commission for sale %s was paid.', transaction_id)
    else format('Your commission for sale %s was rejected.', transaction_id)
      || coalesce(' Reason: ' || nullif(rejection_reason, ''), '')
  end,
  ledger.created_at
from ledger
join commissions as commission on commission.id = commission_id
where kind in ('payout', 'rejection')
order by ledger.id;

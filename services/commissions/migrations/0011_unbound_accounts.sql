-- oldest compatible: 0004
-- The account of a partner changes now: a version keeps a message that comes late from undoing it.
alter table partners add column account_version bigint not null default 0;

-- A notification may be about no commission, and may go to an account that is no partner any more.
-- An older version joins the commission, and so leaves such a notification out.
-- squawk-ignore ban-drop-not-null
alter table notifications alter column commission_id drop not null;
alter table notifications add column account_id bigint;

-- Only refunds, rejections and payments write notifications, and only they wait. The first two
-- indexes are empty.
-- squawk-ignore require-concurrent-index-creation
create index on notifications (account_id, id) where account_id is not null;
-- squawk-ignore require-concurrent-index-creation
create index on notifications (account_id, id) where account_id is not null and read_at is null;
-- squawk-ignore require-concurrent-index-creation
create unique index notifications_of_commissions on notifications (commission_id, kind, refund_id)
  nulls not distinct
  where commission_id is not null;
alter table notifications drop constraint notifications_commission_id_kind_refund_id_key;

-- All rows satisfy these: none needs to be read.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'commission_rejected', 'commission_paid', 'commission_reversed', 'commission_refunded',
    'paid_commission_refunded', 'account_unbound'
  )
) not valid;
alter table notifications add constraint notifications_subject_check check (
  (kind = 'account_unbound') = (commission_id is null)
) not valid;
alter table notifications drop constraint notifications_check;
alter table notifications add constraint notifications_partner_check check (
  (recipient = 'partner') = (num_nonnulls(partner_id, account_id) = 1)
) not valid;

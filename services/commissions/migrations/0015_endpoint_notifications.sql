-- oldest compatible: 0004
-- A notification may be about a webhook endpoint of the workspace, and so about no program.
-- squawk-ignore ban-drop-not-null
alter table notifications alter column program_id drop not null;
alter table notifications add column source_key uuid; -- given by delivery, which may repeat itself

-- Only refunds, rejections, payments and unbindings write notifications, and only they wait. The
-- index is empty.
-- squawk-ignore require-concurrent-index-creation
create unique index on notifications (source_key) where source_key is not null;

-- All rows satisfy these: none needs to be read.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'commission_rejected', 'commission_paid', 'commission_reversed', 'commission_refunded',
    'paid_commission_refunded', 'account_unbound', 'endpoint_disabled'
  )
) not valid;
alter table notifications drop constraint notifications_subject_check;
alter table notifications add constraint notifications_subject_check check (
  (kind in ('account_unbound', 'endpoint_disabled')) = (commission_id is null)
  and (kind = 'endpoint_disabled') = (program_id is null)
  and (kind = 'endpoint_disabled') = (source_key is not null)
) not valid;

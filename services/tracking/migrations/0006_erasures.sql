-- Who was erased. Readers of the feeds forget the same: rows that were told before keep what they
-- said, and a row that is told afterwards says it no more.
create table erasures (
  id bigint generated always as identity primary key,
  program_id bigint not null,
  customer_id bigint not null references customers,
  scope text not null check (scope in ('customer', 'customer_key')), -- customer_key: that alone
  erased_at timestamptz(3) not null default now(),
  final_xact xid8 not null default pg_current_xact_id()
);

revoke update, delete on erasures from :role;

create index on erasures (final_xact, id);

-- What is left of an erased customer names nobody: its rows have no click_id any more.
alter table customers alter column click_id drop not null;
alter table customers add check (click_id is not null or not names_click);
alter table affiliate_click_events
  drop constraint affiliate_click_events_check,
  add check (is_test or (customer_id, partner_id, link_id, window_days) is not null);
alter table affiliate_lead_events
  drop constraint affiliate_lead_events_check,
  add check (is_test or (customer_id, partner_id, link_id) is not null);
alter table affiliate_sale_events
  drop constraint affiliate_sale_events_check,
  add check (
    is_test
    or (
      customer_id, transaction_id, request_hash, amount_cents, partner_id, link_id,
      click_age_days, window_days
    ) is not null
  );

-- By these the rows of a customer are found. Its first click has the time at which it was made
-- itself, and clicks stand in the table in the order of time: brin costs a click next to nothing.
create index on affiliate_click_events using brin (click_timestamp) with (autosummarize = on);
create index on affiliate_click_events (customer_id) where existing_click_id is not null;
create index on affiliate_click_events (existing_click_id)
  where existing_click_id <> click_id; -- where it named nobody, and stands beside a new customer's
create index on affiliate_lead_events (program_id, customer_key) where customer_key is not null;
create index on affiliate_sale_events (customer_id) where customer_id is not null;
create index on affiliate_sale_events (program_id, customer_key) where customer_key is not null;

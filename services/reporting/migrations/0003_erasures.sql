-- Whom tracking has erased. Rows of theirs that were read before, and come to be applied only now,
-- are kept without what named them.
create table erased_customers (
  customer_id bigint not null,
  scope text not null check (scope in ('customer', 'customer_key')), -- customer_key: that alone
  primary key (customer_id, scope)
);

grant truncate on erased_customers to :role;

alter table events alter column click_id drop not null; -- null: erased

create index on events (customer_id);

alter table cursors drop constraint cursors_feed_check; -- a feed is known if it has a row here
insert into cursors (feed)
values ('erasures');

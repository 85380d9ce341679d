-- oldest compatible: 0004
-- identity also reads the audit entries of delivery.
alter table cursors drop constraint cursors_feed_check;

insert into cursors (feed)
values ('delivery');

-- oldest compatible: 0004
-- Whoever vacuums or analyzes a table makes every connection plan anew what reads it, and a page of
-- events is planned over all of its months. These change with each batch, and the cursors were
-- analyzed every minute. Reports find their rows by the one index that each has, whatever is in it;
-- and what a batch leaves behind, the next ones reuse.
alter table cursors
  set (autovacuum_vacuum_threshold = 10000, autovacuum_analyze_threshold = 100000);
alter table daily
  set (autovacuum_vacuum_threshold = 10000, autovacuum_analyze_threshold = 100000);
alter table hourly
  set (autovacuum_vacuum_threshold = 10000, autovacuum_analyze_threshold = 100000);
alter table daily_money
  set (autovacuum_vacuum_threshold = 10000, autovacuum_analyze_threshold = 100000);

-- oldest compatible: 0004
-- Whoever analyzes a table makes every connection plan anew what reads it, and a page of events is
-- planned over all of its months. These change with each batch, and were analyzed every minute; they
-- are read by their one index, whatever they hold.
alter table cursors set (autovacuum_vacuum_threshold = 10000, autovacuum_analyze_threshold = 100000);
alter table daily set (autovacuum_analyze_threshold = 100000);
alter table hourly set (autovacuum_analyze_threshold = 100000);
alter table daily_money set (autovacuum_analyze_threshold = 100000);

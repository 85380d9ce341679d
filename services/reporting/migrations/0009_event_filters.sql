-- oldest compatible: 0004
-- The event list narrowed to a partner, a link or a country: its pages in their order, and the
-- number of its sales. daily_breakdown has the numbers of its clicks and leads. Only batches of the
-- read model wait while the indexes are built; lists then say how far they are complete.
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, partner_id, timestamp, event_type, id);
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, link_id, timestamp, event_type, id);
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, geo_country, timestamp, event_type, id);
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, partner_id, timestamp) where event_type = 'conversion';
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, link_id, timestamp) where event_type = 'conversion';
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, geo_country, timestamp) where event_type = 'conversion';

-- And to one sale.
-- squawk-ignore require-concurrent-index-creation
create index on events (program_id, transaction_id) where event_type = 'conversion';

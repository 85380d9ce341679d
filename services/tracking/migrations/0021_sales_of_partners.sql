-- oldest compatible: 0011
-- The sales of a partner, newest first. Sales wait for a moment while it is built.
-- squawk-ignore require-concurrent-index-creation
create index on affiliate_sale_events (program_id, partner_id, id) where not is_test;

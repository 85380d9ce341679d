-- oldest compatible: 0011
-- The service compares what it has numbered with what its neighbours refer to (lib/neighbours.ts).
grant select on sequence affiliate_sale_events_id_seq to :role;

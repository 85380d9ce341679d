-- oldest compatible: 0004
-- The service compares what it has numbered with what its neighbours refer to (lib/neighbours.ts).
grant select on sequence partners_id_seq, commissions_id_seq to :role;

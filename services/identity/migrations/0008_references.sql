-- oldest compatible: 0004
-- The service compares what it has numbered with what its neighbours refer to (lib/neighbours.ts).
grant select on sequence programs_id_seq, workspaces_id_seq, partner_accounts_id_seq to :role;

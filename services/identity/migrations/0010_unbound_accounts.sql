-- oldest compatible: 0004
-- A partner may lose its account: the row stays, so that each change has a version of its own, and
-- commissions learns of them in order. An older version finds the partner bound until it is replaced.
-- squawk-ignore ban-drop-not-null
alter table partner_bindings alter column account_id drop not null;
alter table partner_bindings add column version bigint not null default 1;
alter table partner_bindings add column unbound_account_id bigint; -- until the next one is bound

-- oldest compatible: 0004
-- Whether the partners of a program may know what was bought: amount and transaction id.
alter table programs add column share_sale_amount boolean not null default false;

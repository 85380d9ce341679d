-- The account of the person who is this partner; identity owns it and tells. Null: nobody's yet.
alter table partners add column account_id bigint;

create index on partners (account_id) where account_id is not null;

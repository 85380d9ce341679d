-- Most customers have no key: they only clicked. The index is of those that have one.
alter table customers drop constraint customers_program_id_customer_key_key; -- the stronger lock first
create unique index on customers (program_id, customer_key) where customer_key is not null;

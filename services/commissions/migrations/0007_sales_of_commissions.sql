-- oldest compatible: 0004
-- The amount and currency of the sale, which a repeated request must name again. Null: an older
-- version created the commission.
alter table commissions add column sale_amount_cents bigint;
alter table commissions add column sale_currency text;

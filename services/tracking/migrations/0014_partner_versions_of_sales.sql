-- oldest compatible: 0011
-- The version of the partner-program record when the sale was stored: its group and status decide
-- what the sale earns, even if its commission is created later. Null: an older version stored it.
alter table affiliate_sale_events add column partner_version bigint;

-- oldest compatible: 0011
-- The newest click of all when a sale was stored. The clicks of its customer up to this one are
-- converted by it, whatever the clock said. Null: an older version stored the sale.
alter table affiliate_sale_events add column last_click_event_id bigint;

grant select on sequence affiliate_click_events_id_seq to :role;

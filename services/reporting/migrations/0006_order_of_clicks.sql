-- oldest compatible: 0004
-- The newest click of all when the converting sale was stored: clicks of the customer up to this
-- one are converted. Null: not known, and the time decides.
alter table conversions add column last_click_event_id bigint;

-- What the integration status asks for. Real clicks are counted with the partners already, and
-- the index of test clicks is none of theirs: it costs them nothing.
create index on affiliate_click_events (program_id, id) where is_test;
create index on affiliate_lead_events (program_id, id) where is_test;
create index on affiliate_lead_events (program_id) where not is_test;
create index on affiliate_sale_events (program_id, id) where is_test;

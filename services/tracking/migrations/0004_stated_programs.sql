-- additional_data.program_id as the page sent it. The link and the token decide; this tells an
-- advertiser whose page names another program that it does.
alter table affiliate_click_events add column stated_program_id bigint;
alter table affiliate_lead_events add column stated_program_id bigint;

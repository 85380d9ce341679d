-- oldest compatible: 0004
-- What the advertiser wrote about a partner. The partner never sees it. Null: nothing.
alter table partner_programs add column note text;

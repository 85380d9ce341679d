-- The same promise of a link's code. It is looked at whenever the link counts a click, and a bounded
-- repetition in a pattern takes PostgreSQL thirty times as long as this.
alter table referral_links drop constraint referral_links_code_check;
alter table referral_links add constraint referral_links_code_check
  check (code !~ '[^A-Za-z0-9_-]' and length(code) between 3 and 64);

-- oldest compatible: 0011
-- Clicks that their links and partners do not count yet: of each batch one row, with the link of
-- each of its clicks. Counting them in the click's own transaction made batches wait for each
-- other, and took a third of their time. Whoever shows a counter adds what waits here.
create table uncounted_clicks (
  link_ids bigint[] not null,
  clicked_at timestamptz(3) not null
);

create view uncounted as
select link_id, count(*) as clicks, max(clicked_at) as last_clicked
from uncounted_clicks
cross join unnest(link_ids) as link_id
group by link_id;

-- Links with all of their clicks, as they are shown.
create view counted_links as
select
  link.id, link.code, link.program_id, link.partner_id, link.status, link.destination_url,
  link.clicks + coalesce(uncounted.clicks, 0) as clicks,
  greatest(link.last_clicked, uncounted.last_clicked) as last_clicked,
  link.created_at
from referral_links as link
left join uncounted on uncounted.link_id = link.id;

create view counted_partners as
select
  partner.program_id, partner.partner_id,
  partner.clicks + coalesce(waiting.clicks, 0) as clicks,
  greatest(partner.last_clicked, waiting.last_clicked) as last_clicked
from partner_programs as partner
left join (
  select program_id, partner_id, sum(uncounted.clicks)::bigint as clicks,
    max(uncounted.last_clicked) as last_clicked
  from uncounted
  join referral_links as link on link.id = link_id
  group by program_id, partner_id
) as waiting using (program_id, partner_id);

import { batches_sql as sql } from "../db"

const BATCHES_MAX = 5_000 // keeps a backlog of hours within the statement timeout of 10 s
const WAIT_SECONDS_MAX = 3
const ENOUGH_CLICKS = 3_000 // more waiting clicks would slow down lists of links

/**
 * Adds waiting clicks to the counters of their links and partners, many batches at once, so that a
 * link with a thousand clicks is written once. Starts when enough clicks wait or the oldest has
 * waited too long. One replica counts at a time, because two would wait for each other's links.
 * Returns how many clicks it counted.
 */
export async function countClicks(): Promise<number> {
  const [{ clicks }] = await sql<[{ clicks: number }]>`
    with
    count_lock as materialized (
      select pg_try_advisory_xact_lock(hashtext('tracking.count_clicks')) as is_held
    ),
    waiting as materialized (
      select ctid, link_ids, clicked_at
      from uncounted_clicks
      limit ${BATCHES_MAX}
    ),
    due as (
      select
        sum(cardinality(link_ids)) >= ${ENOUGH_CLICKS}
          or min(clicked_at) < now() - ${WAIT_SECONDS_MAX}::int * interval '1 second'
          or max(clicked_at) > now() -- the clock was set back
          as is_due
      from waiting
    ),
    taken as (
      delete from uncounted_clicks
      where ctid = any (array(select ctid from waiting))
        and (select is_held from count_lock)
        and (select is_due from due)
      returning link_ids, clicked_at
    ),
    counted as (
      select link_id, count(*) as clicks, max(clicked_at) as last_clicked
      from taken
      cross join unnest(link_ids) as link_id
      group by link_id
    ),
    updated_links as (
      update referral_links as link
      set
        clicks = link.clicks + counted.clicks,
        last_clicked = greatest(link.last_clicked, counted.last_clicked)
      from counted
      where link.id = counted.link_id
      returning link.program_id, link.partner_id, counted.clicks, counted.last_clicked
    ),
    by_partner as (
      select program_id, partner_id, sum(clicks)::bigint as clicks,
        max(last_clicked) as last_clicked
      from updated_links
      group by program_id, partner_id
    ),
    updated_partners as (
      update partner_programs as partner
      set
        clicks = partner.clicks + counted.clicks,
        last_clicked = greatest(partner.last_clicked, counted.last_clicked)
      from by_partner as counted
      where partner.program_id = counted.program_id
        and partner.partner_id = counted.partner_id
    )
    select coalesce(sum(clicks), 0)::bigint as clicks
    from counted
  `
  return clicks
}

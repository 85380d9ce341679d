import type { Invariant } from "../../../lib/reconcile"

/** Counters equal the clicks that are kept, dropped by retention, or not counted yet. */
export const COUNTERS: Invariant[] = [
  {
    invariant: "Each referral link counts its clicks",
    table: "referral_links",
    violations: sql => sql`
      select
        format('Referral link %s', link.id),
        format('counts %s clicks but has %s.', link.clicks, recorded)
      from counted_links as link
      left join (
        select link_id, count(*) as kept
        from affiliate_click_events
        where not is_test
        group by link_id
      ) as event on event.link_id = link.id
      left join (
        select value::bigint as link_id, sum(clicks)::bigint as dropped
        from dropped_clicks
        where dimension = 'link'
        group by 1
      ) as past on past.link_id = link.id
      cross join lateral (select coalesce(kept, 0) + coalesce(dropped, 0)) as sum (recorded)
      where link.clicks <> recorded
    `,
  },
  {
    invariant: "Each partner-program record counts its clicks",
    table: "partner_programs",
    violations: sql => sql`
      select
        format('Partner %s of program %s', partner_id, program_id),
        format('counts %s clicks but has %s.', clicks, recorded)
      from counted_partners
      left join (
        select program_id, partner_id, count(*) as kept
        from affiliate_click_events
        where not is_test
        group by program_id, partner_id
      ) as event using (program_id, partner_id)
      left join (
        select program_id, value::bigint as partner_id, sum(clicks)::bigint as dropped
        from dropped_clicks
        where dimension = 'partner'
        group by 1, 2
      ) as past using (program_id, partner_id)
      cross join lateral (select coalesce(kept, 0) + coalesce(dropped, 0)) as sum (recorded)
      where clicks <> recorded
    `,
  },
  {
    invariant: "Each link was last clicked when its newest click came",
    table: "referral_links",
    violations: sql => sql`
      select
        format('Referral link %s', link.id),
        format('was last clicked %s, but its newest click is of %s.',
          coalesce(link.last_clicked::text, 'never'), coalesce(newest::text, 'never'))
      from counted_links as link
      join (
        select link_id, max(click_timestamp) as newest
        from affiliate_click_events
        where not is_test
        group by link_id
      ) as event on event.link_id = link.id
      where link.last_clicked is distinct from newest
    `,
  },
]

import { reconciler } from "../../lib/reconcile"
import { sql } from "./db"

/** Checks that click counters match the clicks, dropped ones included, and that sales complete. */
export const reconcile = reconciler(sql, [
  {
    invariant: "Each referral link counts its clicks",
    table: "referral_links",
    violations: sql => sql`
      select format(
        'Referral link %s counts %s clicks but has %s.', link.id, link.clicks, recorded
      )
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
      select format(
        'Partner %s of program %s counts %s clicks but has %s.',
        partner_id, program_id, clicks, recorded
      )
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
    invariant: "No sale is pending for more than 10 s",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select format('Sale %s has been pending since %s.', id, created_at)
      from affiliate_sale_events
      where state = 'pending'
        and created_at < now() - interval '10 seconds'
    `,
  },
  {
    invariant: "Each attributed sale that is not a renewal has a commission",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select format('Sale %s is attributed but has no commission.', id)
      from affiliate_sale_events
      where state = 'complete'
        and is_attributed
        and first_sale_id is null
        and commission_id is null
    `,
  },
  {
    invariant: "Each customer with sales is converted by exactly one of them",
    table: "customers",
    violations: sql => sql`
      select format(
        'Customer %s has status "%s" and %s sales, of which %s converted the customer.',
        customers.id, customer_status, coalesce(sales, 0), coalesce(conversions, 0)
      )
      from customers
      left join (
        select customer_id, count(*) as sales, count(*) filter (where converts) as conversions
        from affiliate_sale_events
        where state = 'complete'
          and not is_test
        group by customer_id
      ) as sale on sale.customer_id = customers.id
      where (customer_status = 'conversion')::int <> coalesce(conversions, 0)
        or (customer_status = 'conversion') <> (coalesce(sales, 0) > 0)
    `,
  },
])

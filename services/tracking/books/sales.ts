import type { Invariant } from "../../../lib/reconcile"
import { KEPT_FROM } from "./kept-clicks"

/** Sales complete, and what they say of window, renewal and commission follows from their causes. */
export const SALES: Invariant[] = [
  {
    invariant: "No sale is pending for more than 10 s",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select format('Sale %s', id), format('has been pending since %s.', created_at)
      from affiliate_sale_events
      where state = 'pending'
        and created_at < now() - interval '10 seconds'
    `,
  },
  {
    invariant: "Each attributed sale that is not a renewal has a commission",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select format('Sale %s', id), 'is attributed but has no commission.'
      from affiliate_sale_events
      where state = 'complete'
        and is_attributed
        and first_sale_id is null
        and commission_id is null
    `,
  },
  {
    // Times are stored to the millisecond, and were compared more exactly.
    invariant: "Each sale is attributed exactly if it was made inside its click's window",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select
        format('Sale %s', sale.id),
        format('is %s and %s days old, but its click is of %s, with a window of %s days.',
          case when is_attributed then 'attributed' else 'not attributed' end,
          click_age_days, click_timestamp, click.window_days)
      from affiliate_sale_events as sale
      join affiliate_click_events as click on click.id = click_event_id
      cross join lateral (
        select
          extract(epoch from sale_date - click_timestamp) as age_seconds,
          click.window_days * 86400 as window_seconds
      ) as age
      where not sale.is_test
        and first_sale_id is null
        and click_timestamp >= ${KEPT_FROM}
        and (
          sale.window_days <> click.window_days
          or is_attributed <> (age_seconds <= window_seconds)
          and abs(age_seconds - window_seconds) > 0.001
          or click_age_days not in (
            greatest(0, floor((age_seconds - 0.001) / 86400)),
            greatest(0, floor((age_seconds + 0.001) / 86400))
          )
        )
    `,
  },
  {
    invariant: "Each renewal follows an attributed first sale of its subscription",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select
        format('Sale %s', sale.id),
        case
          when first.id is null then format('renews sale %s, which does not exist.', sale.first_sale_id)
          else format('is no renewal of sale %s.', first.id)
        end
      from affiliate_sale_events as sale
      left join affiliate_sale_events as first on first.id = sale.first_sale_id
      where sale.first_sale_id is not null
        and (
          first.id is null
          or first.id >= sale.id
          or first.is_test
          or first.first_sale_id is not null
          or not first.is_attributed
          or not sale.is_attributed
          or not sale.is_recurring
          or first.subscription_id <> sale.subscription_id -- null: erased
          or (sale.program_id, sale.partner_id, sale.link_id, sale.click_event_id)
            is distinct from
            (first.program_id, first.partner_id, first.link_id, first.click_event_id)
        )
    `,
  },
  {
    invariant: "No two sales name the same commission",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select
        format('Commission %s', commission_id),
        format('is named by %s sales: %s.', count(*), string_agg(id::text, ', ' order by id))
      from affiliate_sale_events
      where commission_id is not null
      group by commission_id
      having count(*) > 1
    `,
  },
  {
    invariant: "Test events touch no customer and no money",
    table: "affiliate_sale_events",
    violations: sql => sql`
      select format('Test sale %s', id), 'names a customer, a partner or a commission.'
      from affiliate_sale_events
      where is_test
        and num_nonnulls(customer_id, partner_id, link_id, click_event_id, commission_id) > 0
      union all
      select format('Test lead %s', id), 'names a customer or a partner.'
      from affiliate_lead_events
      where is_test
        and num_nonnulls(customer_id, partner_id, link_id, click_event_id) > 0
      union all
      select format('Test click %s', id), 'names a customer or a partner.'
      from affiliate_click_events
      where is_test
        and num_nonnulls(customer_id, partner_id, link_id) > 0
    `,
  },
]

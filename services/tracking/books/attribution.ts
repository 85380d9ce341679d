import type { Fragment, Transaction } from "../../../lib/db/database"
import type { Invariant } from "../../../lib/reconcile"
import { KEPT_FROM } from "./kept-clicks"

/** Clicks, customers, leads and sales agree on partner, link and attributing click. */
export const ATTRIBUTION: Invariant[] = [
  {
    invariant: "Each click belongs to its link and its customer",
    table: "affiliate_click_events",
    violations: sql => sql`
      select
        format('Click %s', click.id),
        case
          when link.id is null
            then format('came through link %s, which does not exist.', click.link_id)
          when customer.id is null
            then format('names customer %s, who does not exist.', click.customer_id)
          else format('differs from its link %s or its customer %s.', link.id, customer.id)
        end
      from affiliate_click_events as click
      left join referral_links as link on link.id = click.link_id
      left join customers as customer on customer.id = click.customer_id
      where not is_test
        and (
          (click.program_id, click.partner_id) is distinct from (link.program_id, link.partner_id)
          or click.program_id is distinct from customer.program_id
          or click.click_id <> customer.click_id
        )
    `,
  },
  {
    invariant: "Each customer is attributed to one of its clicks",
    table: "customers",
    violations: sql => sql`
      select
        format('Customer %s', customer.id),
        case
          when click.id is null
            then format('has click %s, which does not exist.', customer.click_event_id)
          else format('differs from click %s, to which it is attributed.', click.id)
        end
      from customers as customer
      left join affiliate_click_events as click
        on click.id = customer.click_event_id
        and click.click_timestamp = customer.attributed_at
      where attributed_at >= ${KEPT_FROM}
        and (
          (
            customer.program_id, customer.partner_id, customer.link_id, customer.window_days
          ) is distinct from (
            click.program_id, click.partner_id, click.link_id, click.window_days
          )
          or click.is_test
          or customer.names_click and click.customer_id <> customer.id
        )
    `,
  },
  {
    invariant: "Each lead has the partner, link and origin of its click",
    table: "affiliate_lead_events",
    violations: sql => unlikeClick(sql, sql`affiliate_lead_events`, "Lead"),
  },
  {
    invariant: "Each sale has the partner, link and origin of its click",
    table: "affiliate_sale_events",
    violations: sql => unlikeClick(sql, sql`affiliate_sale_events`, "Sale"),
  },
  {
    invariant: "A customer is settled exactly by an attributed sale",
    table: "customers",
    violations: sql => sql`
      select
        format('Customer %s', customer.id),
        case
          when is_settled then 'is settled, but no sale is attributed to its click.'
          else format('has attributed sale %s, but is not settled.', sale.id)
        end
      from customers as customer
      left join (
        select customer_id, click_event_id, min(id) as id
        from affiliate_sale_events
        where is_attributed
          and first_sale_id is null
          and not is_test
        group by customer_id, click_event_id
      ) as sale
        on sale.customer_id = customer.id
        and sale.click_event_id = customer.click_event_id
      where is_settled <> (sale.id is not null)
    `,
  },
]

/** Selects events that differ from their attributing click, unless retention dropped it. */
const unlikeClick = (sql: Transaction, table: Fragment, name: string) => sql`
  select
    format('%s %s', ${name}::text, event.id),
    case
      when customer.id is null
        then format('names customer %s, who does not exist.', event.customer_id)
      when (event.program_id, event.click_id) is distinct from
        (customer.program_id, customer.click_id)
        then format('differs from its customer %s.', event.customer_id)
      else format('differs from its click %s.', event.click_event_id)
    end
  from ${table} as event
  left join customers as customer on customer.id = event.customer_id
  left join affiliate_click_events as click on click.id = event.click_event_id
  where not event.is_test
    and (
      (event.program_id, event.click_id) is distinct from (customer.program_id, customer.click_id)
      or click.id is not null
      and (
        event.program_id, event.partner_id, event.link_id,
        event.geo_country, event.device_type, event.browser_name,
        event.referrer_host, event.sub_id
      ) is distinct from (
        click.program_id, click.partner_id, click.link_id,
        click.geo_country, click.device_type, click.browser_name,
        click.referrer_host, click.sub_id
      )
      or click.id is null
      and ${KEPT_FROM} = '-infinity'
    )
`

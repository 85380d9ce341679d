import type { Invariant } from "../../../lib/reconcile"

/** The status of a customer follows from its lead and its sales. */
export const CUSTOMERS: Invariant[] = [
  {
    invariant: "Each customer with sales is converted by exactly one of them",
    table: "customers",
    violations: sql => sql`
      select
        format('Customer %s', customers.id),
        format('has status "%s" and %s sales, of which %s converted the customer.',
          customer_status, coalesce(sales, 0), coalesce(conversions, 0))
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
  {
    invariant: "Each customer first bought when the sale that converted it was made",
    table: "customers",
    violations: sql => sql`
      select
        format('Customer %s', customers.id),
        format('first bought at %s, but the sale that converted it is of %s.',
          coalesce(first_purchase_date::text, 'no time'), coalesce(sale_date::text, 'no time'))
      from customers
      left join affiliate_sale_events as sale
        on sale.customer_id = customers.id
        and converts
        and not is_test
      where first_purchase_date is distinct from sale_date
    `,
  },
  {
    invariant: "Each customer that signed up has a lead of that time, and no other has one",
    table: "customers",
    violations: sql => sql`
      select
        format('Customer %s', customers.id),
        format('has status "%s" and signed up at %s, but has a lead of %s.',
          customer_status, coalesce(signup_date::text, 'no time'),
          coalesce(lead_timestamp::text, 'no time'))
      from customers
      left join affiliate_lead_events as lead
        on lead.customer_id = customers.id
        and not is_test
      where signup_date is distinct from lead_timestamp
        or customer_status = 'lead' and lead.id is null
        or customer_status = 'click' and lead.id is not null
    `,
  },
  {
    invariant: "No row names an erased customer",
    table: "erasures",
    violations: sql => sql`
      select format('Customer %s', customer_id), format('was erased, but %s it.', named_by)
      from (select distinct customer_id from erasures where scope = 'customer') as erased
      cross join lateral (
        select 'its own row names' as named_by
        from customers
        where id = erased.customer_id
          and num_nonnulls(click_id, customer_key, email_hash, email_masked) > 0
        union all
        select format('lead %s names', id)
        from affiliate_lead_events as lead
        where lead.customer_id = erased.customer_id
          and num_nonnulls(
            click_id, customer_key, email_hash, email_masked, event_name, session_id, page_url
          ) > 0
        union all
        select format('sale %s names', id)
        from affiliate_sale_events as sale
        where sale.customer_id = erased.customer_id
          and num_nonnulls(click_id, customer_key, line_items, subscription_id) > 0
      ) as found
      union all
      select format('Customer %s', click.customer_id), format('was erased, but click %s names it.', id)
      from affiliate_click_events as click
      join (select distinct customer_id from erasures where scope = 'customer') as erased
        using (customer_id)
      where num_nonnulls(
        click_id, affiliate_url, page_url, page_title, referrer_url, session_id,
        existing_click_id, user_agent, geo_region, geo_city
      ) > 0
    `,
  },
]

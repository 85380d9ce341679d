import { clicks_sql as sql } from "../db"
import { clickRelation, type NewClick } from "./click-relation"

export type StoredClick =
  | { outcome: "no link" | "misconfigured" | "inactive" | "over quota" }
  | { outcome: "recorded"; known_click_id: string | null; window_days: number }

/**
 * Stores clicks in one statement and returns the outcome of each, in the order of `clicks`.
 * `known_click_id`: the click_id of an existing customer; null: the click created a new customer.
 *
 * Counting is left to count-clicks.ts, because batches would wait for each other's links. The
 * customer lookup is omitted when no click needs it: even an unused part of a plan costs time.
 */
export async function insertClicks(clicks: NewClick[]): Promise<StoredClick[]> {
  const lookup = clicks.some(click => click.existing_click_id) ? CUSTOMER_LOOKUP : NO_LOOKUP

  return sql<StoredClick[]>`
    with
    input as ${clickRelation(sql, clicks)},
    resolved as materialized ( -- one wide row per click: joining the parts again costs more
      select
        input.*,
        link.id as link_id,
        link.program_id,
        link.partner_id,
        program.cookie_window_days as window_days,
        program.attribution_model,
        case
          when link.id is null then 'no link'
          when program.status is null or coalesce(partner.status, 'removed') = 'removed'
            then 'misconfigured'
          when (link.status, program.status, partner.status) <> ('active', 'active', 'approved')
            then 'inactive'
          when program.is_over_quota then 'over quota'
          else 'recorded'
        end as outcome,
        ${lookup.columns},
        nextval('customers_id_seq') as new_customer_id,
        nextval('affiliate_click_events_id_seq') as event_id
      from input
      left join lateral (
        select id, program_id, partner_id, status
        from referral_links
        where code = input.code
        limit 1 -- forces an index lookup: a generic plan could read all links for a few clicks
      ) as link on true
      left join programs as program
        on program.program_id = link.program_id
      left join partner_programs as partner
        on partner.program_id = link.program_id
        and partner.partner_id = link.partner_id
      ${lookup.join}
    ),
    recorded as not materialized (
      select *, coalesce(known_id, new_customer_id) as customer_id
      from resolved
      where outcome = 'recorded'
    ),
    queued_counts as (
      insert into uncounted_clicks (link_ids, clicked_at)
      select array_agg(link_id), now()
      from recorded
      having count(*) > 0
    ),
    new_customers as (
      insert into customers (
        id, program_id, click_id, partner_id, link_id, click_event_id, attributed_at, window_days
      )
      select
        customer_id, program_id, click_id, partner_id, link_id, event_id, now(), window_days
      from recorded
      where known_id is null
    ),
    ${lookup.reattribution}
    events as (
      insert into affiliate_click_events (
        id, program_id, click_id, customer_id, partner_id, link_id, window_days,
        affiliate_url, page_url, page_title, referrer_url, session_id, existing_click_id,
        user_agent, screen_resolution, viewport_size, language, timezone,
        geo_country, geo_region, geo_city, device_type, device_os, browser_name,
        referrer_host, sub_id, stated_program_id, final_xact
      )
      select
        event_id, program_id, coalesce(known_click_id, click_id), customer_id, partner_id, link_id,
        window_days, affiliate_url, page_url, page_title, referrer_url, session_id,
        existing_click_id, user_agent, screen_resolution, viewport_size, language, timezone,
        geo_country, geo_region, geo_city, device_type, device_os, browser_name,
        referrer_host, sub_id, stated_program_id, pg_current_xact_id()
      from recorded
    )
    select outcome, window_days, known_click_id
    from resolved
    order by position
  `
}

const NO_LOOKUP = {
  columns: sql`null::bigint as known_id, null as known_click_id`,
  join: sql``,
  reattribution: sql``,
}

/**
 * Finds the customers named by `existing_click_id` and moves their attribution to the click where
 * behaviour 5.1.2 says so. Clicks of one customer in a batch count in their order.
 */
const CUSTOMER_LOOKUP = {
  columns: sql`known.id as known_id, known.click_id as known_click_id`,

  join: sql`
    left join lateral (
      select id, click_id
      from customers
      where click_id = input.existing_click_id
        and names_click
        and program_id = link.program_id
      limit 1 -- forces an index lookup
    ) as known on true
  `,

  reattribution: sql`
    attributing as (
      select distinct on (known_id)
        known_id, partner_id, link_id, event_id, window_days, attribution_model
      from recorded
      where known_id is not null
      order by known_id, case attribution_model when 'first_click' then position else -position end
    ),
    movable as materialized (
      select
        customer.id,
        attributing.partner_id,
        attributing.link_id,
        attributing.event_id,
        attributing.window_days
      from customers as customer
      join attributing on attributing.known_id = customer.id
      where now() > customer.attributed_at + customer.window_days * interval '1 day'
        or (
          attributing.attribution_model = 'last_click'
          and not customer.is_settled -- rechecked under the lock: a sale may have been first
          and customer.click_event_id < attributing.event_id -- the clock may have been set back
        )
        or ( -- of the partner at the recheck: a join would keep the one before
          select status
          from partner_programs
          where program_id = customer.program_id
            and partner_id = customer.partner_id
        ) = 'removed'
      order by customer.id
      for no key update of customer
    ),
    moved_customers as (
      update customers as customer
      set
        partner_id = movable.partner_id,
        link_id = movable.link_id,
        click_event_id = movable.event_id,
        attributed_at = now(),
        window_days = movable.window_days,
        is_settled = false
      from movable
      where customer.id = movable.id
    ),
  `,
}

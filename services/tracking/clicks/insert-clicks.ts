import { clicks_sql as sql } from "../db"
import { clicksInput, type NewClick } from "./clicks-input"

export type StoredClick =
  | { outcome: "no link" | "broken" | "inactive" }
  | { outcome: "recorded"; known_click_id: string | null; window_days: number }

/**
 * Stores clicks in one statement, and says of each, in their order, what became of it.
 * `known_click_id` is that of a customer who had one; null: the click's own names a new customer.
 *
 * Nothing is counted here (count-clicks.ts): batches would wait for each other's links.
 * Most clicks name no customer, and then nobody is looked for: starting a plan takes its time, too.
 */
export async function insertClicks(clicks: NewClick[]): Promise<StoredClick[]> {
  const known = clicks.some(click => click.existing_click_id) ? KNOWN : NOBODY

  return sql<StoredClick[]>`
    with
    ${clicksInput(clicks)},
    judged as materialized ( -- all of a click in one row: joining its parts again costs more
      select
        asked.*,
        link.id as link_id,
        link.program_id,
        link.partner_id,
        program.cookie_window_days as window_days,
        program.attribution_model,
        case
          when link.id is null then 'no link'
          when program.status is null or coalesce(partner.status, 'removed') = 'removed'
            then 'broken'
          when (link.status, program.status, partner.status) <> ('active', 'active', 'approved')
            then 'inactive'
          else 'recorded'
        end as outcome,
        ${known.columns},
        nextval('customers_id_seq') as new_customer_id,
        nextval('affiliate_click_events_id_seq') as event_id
      from asked
      left join lateral (
        select id, program_id, partner_id, status
        from referral_links
        where code = asked.code
        limit 1 -- each by the index: a plan made once could read all links for a few clicks
      ) as link on true
      left join programs as program
        on program.program_id = link.program_id
      left join partner_programs as partner
        on partner.program_id = link.program_id
        and partner.partner_id = link.partner_id
      ${known.joined}
    ),
    recorded as not materialized (
      select *, coalesce(known_id, new_customer_id) as customer_id
      from judged
      where outcome = 'recorded'
    ),
    noted as (
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
    ${known.moved}
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
    from judged
    order by position
  `
}

const NOBODY = {
  columns: sql`null::bigint as known_id, null as known_click_id`,
  joined: sql``,
  moved: sql``,
}

/**
 * Customers who are named by an `existing_click_id`, and whom a click may move to another partner.
 * Where clicks of one batch name one customer, they count as coming one after the other.
 */
const KNOWN = {
  columns: sql`known.id as known_id, known.click_id as known_click_id`,

  joined: sql`
    left join lateral (
      select id, click_id
      from customers
      where click_id = asked.existing_click_id
        and names_click
        and program_id = link.program_id
      limit 1 -- each by the index, as links are
    ) as known on true
  `,

  moved: sql`
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
          and not customer.is_settled -- a sale that was faster is seen once we have the lock
          and customer.attributed_at <= now()::timestamptz(3)
        )
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

import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type TestEvent = { id: number; timestamp: string; created_at: string }

/**
 * Only real events complete a step, because test clicks and leads need no credential. Test events
 * are reported separately.
 */
export async function showStatus({ program_id }: RequestOf<typeof contract.showStatus>) {
  const [{ now, has_clicks, has_leads, has_keys, has_sales }] = await sql<
    [
      {
        now: string
        has_clicks: boolean
        has_leads: boolean
        has_keys: boolean
        has_sales: boolean
      },
    ]
  >`
    select
      now(),
      exists (
        select from partner_programs
        where program_id = ${program_id} and clicks > 0
        union all -- stops at the first row; counted_partners would add up all waiting clicks
        select from uncounted
        join referral_links as link on link.id = uncounted.link_id
        where link.program_id = ${program_id}
      ) as has_clicks,
      exists (
        select from affiliate_lead_events
        where program_id = ${program_id} and not is_test
      ) as has_leads,
      exists (
        select from customers
        where program_id = ${program_id} and customer_key is not null
      ) as has_keys,
      exists (
        select from affiliate_sale_events
        where program_id = ${program_id} and not is_test and state = 'complete'
      ) as has_sales
  `
  const [click, lead, sale] = await Promise.all([
    testEventsOf(program_id, "affiliate_click_events", "click_timestamp"),
    testEventsOf(program_id, "affiliate_lead_events", "lead_timestamp"),
    testEventsOf(program_id, "affiliate_sale_events", "sale_date"),
  ])
  return {
    steps: {
      click: { is_complete: has_clicks, ...click },
      lead: { is_complete: has_leads, ...lead },
      sale: { is_complete: has_sales, ...sale },
    },
    lacks_keys: has_leads && !has_keys && !has_sales,
    now,
  }
}

async function testEventsOf(program_id: number, table: string, time: string) {
  const [{ test_events }] = await sql<[{ test_events: number }]>`
    select count(*) as test_events
    from ${sql(table)}
    where program_id = ${program_id} and is_test
  `
  const [latest] = await sql<[TestEvent?]>`
    select id, ${sql(time)} as timestamp, created_at
    from ${sql(table)}
    where program_id = ${program_id} and is_test
    order by id desc
    limit 1
  `
  return { test_events, latest: latest ?? null }
}

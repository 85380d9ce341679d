import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type TestEvent = { id: number; timestamp: string; created_at: string }

/**
 * Only real events complete a step: a test click or lead needs no credential, so that anybody
 * could send one. Whoever tries out an integration sees those apart.
 */
export async function showStatus({ program_id }: RequestOf<typeof contract.showStatus>) {
  const [{ now, clicked, led, sold }] = await sql<
    [{ now: string; clicked: boolean; led: boolean; sold: boolean }]
  >`
    select
      now(),
      exists (
        select from partner_programs
        where program_id = ${program_id} and clicks > 0
        union all -- one is enough: counted_partners would add up all that waits
        select from uncounted
        join referral_links as link on link.id = uncounted.link_id
        where link.program_id = ${program_id}
      ) as clicked,
      exists (
        select from affiliate_lead_events
        where program_id = ${program_id} and not is_test
      ) as led,
      exists (
        select from affiliate_sale_events
        where program_id = ${program_id} and not is_test and state = 'complete'
      ) as sold
  `
  const [click, lead, sale] = await Promise.all([
    testsOf(program_id, "affiliate_click_events", "click_timestamp"),
    testsOf(program_id, "affiliate_lead_events", "lead_timestamp"),
    testsOf(program_id, "affiliate_sale_events", "sale_date"),
  ])
  return {
    steps: {
      click: { is_complete: clicked, ...click },
      lead: { is_complete: led, ...lead },
      sale: { is_complete: sold, ...sale },
    },
    now,
  }
}

async function testsOf(program_id: number, table: string, time: string) {
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

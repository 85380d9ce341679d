import type { Transaction } from "../../../lib/db/database"
import type { Candidate, ClickResult } from "../contract"

/** The click that a sale or customer belongs to, and the clicks that could have won it. */
type Contest = {
  customer_id: number
  winner_id: number
  last_click_event_id: number | null // later clicks did not compete; null: `until` decides
  until: string | null // the time of the sale; null: there is none yet
}

type FoundClick = Omit<Candidate, "result">

/** The clicks that competed, oldest first, and how many older ones there are beyond `limit`. */
export async function findCandidates(sql: Transaction, contest: Contest, limit: number) {
  const { customer_id, winner_id, last_click_event_id, until } = contest
  const found = await sql<(FoundClick & { total: number })[]>`
    select
      click.id as click_event_id, click.click_timestamp as at, click.partner_id, click.link_id,
      link.code, click.sub_id, click.window_days, count(*) over () as total
    from (${clicksOf(sql, customer_id, [winner_id])}) as click
    join referral_links as link on link.id = click.link_id
    where click.id = ${winner_id}
      or (
        click.id <= coalesce(${last_click_event_id}::bigint, click.id)
        and (${last_click_event_id}::bigint is not null
          or click.click_timestamp <= coalesce(${until}::timestamptz, click.click_timestamp))
      )
    order by click.id = ${winner_id} desc, click.id desc
    limit ${limit}
  `
  const settled = await findSettlingSale(sql, customer_id, winner_id)
  const winner = found.find(({ click_event_id }) => click_event_id === winner_id)
  const candidates = found
    .map(({ total, ...click }) => ({
      ...click,
      result: resultOf(click, { id: winner_id, at: winner?.at ?? null }, settled),
    }))
    .sort((one, other) => one.click_event_id - other.click_event_id)
  return { candidates, left_out: (found[0]?.total ?? 0) - found.length }
}

/**
 * Selects the clicks of a customer from indexes, and `others` by id: a second customer at a shared
 * browser has no clicks of its own. Of an erased customer only the first click is found, and others.
 */
export const clicksOf = (sql: Transaction, customer_id: number, others: number[]) => sql`
  select id, click_timestamp, partner_id, link_id, sub_id, window_days
  from affiliate_click_events
  where customer_id = ${customer_id}
    and existing_click_id is not null -- true of all clicks but the first
  union
  select id, click_timestamp, partner_id, link_id, sub_id, window_days
  from affiliate_click_events
  where customer_id = ${customer_id}
    and click_timestamp = (select created_at from customers where id = ${customer_id})
  union
  select id, click_timestamp, partner_id, link_id, sub_id, window_days
  from affiliate_click_events
  where id = any (${others}::bigint[])
`

/** The sale from which on the customer stayed with a click, whatever was clicked afterwards. */
type SettlingSale = { id: number; last_click_event_id: number | null; sale_date: string }

async function findSettlingSale(sql: Transaction, customer_id: number, click_id: number) {
  const [sale] = await sql<[SettlingSale?]>`
    select id, last_click_event_id, sale_date
    from affiliate_sale_events
    where customer_id = ${customer_id}
      and click_event_id = ${click_id}
      and is_attributed
      and first_sale_id is null
    order by id
    limit 1
  `
  return sale
}

type Winner = { id: number; at: string | null } // null: retention has dropped the click

/** Why a click won or lost against the winner. Clicks have ids in the order in which they came. */
export function resultOf(
  click: FoundClick,
  winner: Winner,
  settled: SettlingSale | undefined,
): ClickResult {
  const { click_event_id: id, at, window_days } = click
  if (id === winner.id) return "won"
  if (id < winner.id) {
    const ended_ms = Date.parse(at) + window_days * 86_400_000
    return winner.at !== null && ended_ms < Date.parse(winner.at) ? "window_ended" : "later_click"
  }
  if (!settled) return "earlier_click"
  const { last_click_event_id, sale_date } = settled
  const cameAfter = last_click_event_id === null ? at > sale_date : id > last_click_event_id
  return cameAfter ? "earlier_sale" : "earlier_click"
}

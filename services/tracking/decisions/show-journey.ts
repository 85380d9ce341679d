import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import type * as contract from "../contract"
import type { Candidate } from "../contract"
import { customerNotFound } from "../customers/find-customer"
import { sql } from "../db"
import { clicksOf, resultOf } from "./candidates"

const CLICKS_MAX = 500
const SALES_MAX = 200

type Reply = ReplyOf<typeof contract.showJourney>

/** Uses one snapshot. */
export const showJourney = (request: RequestOf<typeof contract.showJourney>): Promise<Reply> =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const { program_id, customer_key } = request
    const [customer] = await sql<[{ id: number; click_event_id: number }?]>`
      select id, click_event_id
      from customers
      where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
    `
    if (!customer) throw customerNotFound()
    const sales = await readSales(sql, customer.id)
    const [lead] = await sql<[{ id: number; at: string }?]>`
      select id, lead_timestamp as at
      from affiliate_lead_events
      where customer_id = ${customer.id}
        and not is_test
    `
    const erasures = await sql<{ at: string }[]>`
      select erased_at as at
      from erasures
      where program_id = ${program_id}
        and customer_id = ${customer.id}
      order by id
    `
    return {
      clicks: await readClicks(sql, customer, sales),
      lead: lead ?? null,
      sales: sales.map(({ click_event_id, last_click_event_id, ...sale }) => sale),
      erased_at: erasures.map(({ at }) => at),
    }
  })

type FoundSale = Reply["sales"][number] & {
  click_event_id: number | null
  last_click_event_id: number | null
}

async function readSales(sql: Transaction, customer_id: number) {
  const sales = await sql<FoundSale[]>`
    select
      id, sale_date as at, transaction_id, amount_cents, currency, is_attributed, window_days,
      first_sale_id is not null as is_renewal, commission_id, click_event_id, last_click_event_id
    from affiliate_sale_events
    where customer_id = ${customer_id}
      and state = 'complete'
      and not is_test
    order by id desc
    limit ${SALES_MAX}
  `
  return [...sales].reverse()
}

type Customer = { id: number; click_event_id: number }

/** The clicks, each judged in the first sale after it that clicks decide, or in the customer. */
async function readClicks(sql: Transaction, customer: Customer, sales: FoundSale[]) {
  const decided = sales.filter(({ is_renewal }) => !is_renewal)
  const winners = decided.flatMap(({ click_event_id }) => click_event_id ?? [])
  const clicks = await sql<Omit<Candidate, "result">[]>`
    select
      click.id as click_event_id, click.click_timestamp as at, click.partner_id, click.link_id,
      link.code, click.sub_id, click.window_days
    from (${clicksOf(sql, customer.id, [...winners, customer.click_event_id])}) as click
    join referral_links as link on link.id = click.link_id
    order by click.id desc
    limit ${CLICKS_MAX}
  `
  const times = new Map(clicks.map(({ click_event_id, at }) => [click_event_id, at]))
  return [...clicks].reverse().map(click => {
    const sale = decided.find(({ last_click_event_id, at }) =>
      last_click_event_id === null ? at >= click.at : last_click_event_id >= click.click_event_id,
    )
    const id = sale?.click_event_id ?? customer.click_event_id
    const settling = decided.find(
      ({ click_event_id, is_attributed }) => is_attributed && click_event_id === id,
    )
    const settled = settling && { ...settling, sale_date: settling.at }
    return { ...click, result: resultOf(click, { id, at: times.get(id) ?? null }, settled) }
  })
}

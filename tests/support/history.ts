import { DIMENSION_COLUMNS, randomDimensions } from "./dimensions"
import type { TestProgram } from "./program"
import { randomBelow, recordset, sample } from "./random-rows"
import { sql } from "./world"

const DAY_MS = 24 * 60 * 60 * 1_000

type At = { at: string }
export type PastClick = At & { id: number; customer_id: number; page_url: string }
export type PastLead = At & { id: number; customer_id: number; customer_key: string }
export type PastSale = At & {
  id: number
  customer_id: number
  amount_cents: number
  currency: string
  converts: boolean
}
export type PastCommission = At & { amount_cents: number; currency: string }
export type History = Awaited<ReturnType<typeof newHistory>>

/**
 * Gives a program a past. It is written straight into the tables behind reporting's feeds, because
 * through the API everything happens now. Returns the rows to recount from.
 */
export async function newHistory(
  program: TestProgram,
  size: { customers: number; first: string; days: number; currencies?: string[] },
) {
  const fromMs = Date.parse(size.first)
  const moment = () => new Date(fromMs + randomBelow(size.days * DAY_MS)).toISOString()
  const { currencies = ["USD"] } = size
  const customers = await newCustomers(program, size.customers)
  const clicks = customers.flatMap(customer_id =>
    Array.from({ length: 1 + randomBelow(4) }, () => ({
      customer_id,
      at: moment(),
      page_url: "/",
    })),
  )
  const leads = sample(customers, 2).map((customer_id, i) => ({
    customer_id,
    at: moment(),
    customer_key: `key ${i}`,
  }))
  const buyers = sample(customers, 3)
  const sales = [...buyers, ...sample(buyers, 2)].map((customer_id, i) => ({
    customer_id,
    at: moment(),
    amount_cents: 1 + randomBelow(1_000_000),
    currency: currencies[randomBelow(currencies.length)] as string,
    converts: i < buyers.length,
  }))

  const storedSales = await addSales(program, sales)
  return {
    clicks: await addClicks(program, clicks),
    leads: await addLeads(program, leads),
    sales: storedSales,
    commissions: await addCommissions(program, sample(storedSales, 2), moment),
    partners: await addPartners(program, Array.from({ length: 9 }, moment)),
  }
}

export async function newCustomers(program: TestProgram, count: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    insert into tracking.customers (
      program_id, click_id, partner_id, link_id, click_event_id, attributed_at, window_days
    )
    select
      ${program.program_id}, 'clk_of_' || gen_random_uuid(), ${program.partner_id},
      ${program.link_id}, 1, now(), 60
    from generate_series(1, ${count})
    returning id
  `
  return rows.map(row => row.id)
}

export async function addClicks(
  program: TestProgram,
  clicks: Omit<PastClick, "id">[],
): Promise<PastClick[]> {
  const rows = await sql<{ id: number }[]>`
    insert into tracking.affiliate_click_events (
      program_id, click_id, customer_id, partner_id, link_id, window_days, page_url,
      ${DIMENSION_COLUMNS}, click_timestamp, created_at, final_xact
    )
    select
      program_id, click_id, customer_id, partner_id, link_id, 60, page_url,
      ${randomDimensions}, at, at, pg_current_xact_id()
    from ${recordset(clicks)} as click (customer_id bigint, at timestamptz, page_url text, n int)
    join tracking.customers on customers.id = customer_id
    where program_id = ${program.program_id}
    order by n
    returning id
  `
  return clicks.map((click, i) => ({ ...click, id: (rows[i] as { id: number }).id }))
}

async function addLeads(program: TestProgram, leads: Omit<PastLead, "id">[]): Promise<PastLead[]> {
  const rows = await sql<{ id: number }[]>`
    insert into tracking.affiliate_lead_events (
      program_id, customer_id, click_id, customer_key, partner_id, link_id,
      ${DIMENSION_COLUMNS}, lead_timestamp, created_at, final_xact
    )
    select
      program_id, customer_id, click_id, lead.customer_key, partner_id, link_id,
      ${randomDimensions}, at, at, pg_current_xact_id()
    from ${recordset(leads)} as lead (customer_id bigint, at timestamptz, customer_key text, n int)
    join tracking.customers on customers.id = customer_id
    where program_id = ${program.program_id}
    order by n
    returning id
  `
  return leads.map((lead, i) => ({ ...lead, id: (rows[i] as { id: number }).id }))
}

export async function addSales(
  program: TestProgram,
  sales: Omit<PastSale, "id">[],
): Promise<PastSale[]> {
  const rows = await sql<{ id: number }[]>`
    insert into tracking.affiliate_sale_events (
      program_id, customer_id, click_id, transaction_id, request_hash, amount_cents, currency,
      sale_type, is_recurring, partner_id, link_id, click_age_days, window_days, converts, state,
      ${DIMENSION_COLUMNS}, sale_date, created_at, final_xact
    )
    select
      program_id, customer_id, click_id, 'past ' || gen_random_uuid(), '', amount_cents, currency,
      'payment', false, partner_id, link_id, 0, 60, converts, 'complete',
      ${randomDimensions}, at, at, pg_current_xact_id()
    from ${recordset(sales)} as sale (
      customer_id bigint, at timestamptz, amount_cents bigint, currency text, converts boolean,
      n int
    )
    join tracking.customers on customers.id = customer_id
    where program_id = ${program.program_id}
    order by n
    returning id
  `
  return sales.map((sale, i) => ({ ...sale, id: (rows[i] as { id: number }).id }))
}

async function addCommissions(
  { program_id, partner_id }: TestProgram,
  sales: PastSale[],
  moment: () => string,
): Promise<PastCommission[]> {
  const commissions = sales.map(({ id, currency }) => ({
    sale_id: id,
    currency,
    amount_cents: randomBelow(300_000),
    at: moment(),
  }))
  await sql`
    insert into commissions.commissions (
      sale_id, program_id, partner_id, transaction_id, sale_date, policy_id, amount_cents,
      currency, auto_approve, hold_ends_at, created_at
    )
    select
      sale_id, ${program_id}, ${partner_id}, 'past ' || sale_id, at,
      (
        select policies.id
        from commissions.policies
        join commissions.groups on groups.id = group_id
        where program_id = ${program_id}
        limit 1
      ),
      amount_cents, currency, false, at, at
    from ${recordset(commissions)} as commission (
      sale_id bigint, currency text, amount_cents bigint, at timestamptz
    )
  `
  return commissions
}

/** Adds partners to the program who joined at these times. */
async function addPartners({ program_id }: TestProgram, times: string[]): Promise<At[]> {
  for (const at of times) {
    const [partner] = await sql<[{ partner_id: number }]>`
      with partner as (
        insert into commissions.partners default values returning id
      )
      insert into commissions.partner_programs (
        program_id, partner_id, email, name, group_id, version, created_at, final_xact
      )
      select
        ${program_id}, partner.id, 'past' || partner.id || '@example.com', 'Past', groups.id, 1,
        ${at}::timestamptz, pg_current_xact_id()
      from partner, commissions.groups
      where groups.program_id = ${program_id}
      limit 1
      returning partner_id
    `
    await sql`
      insert into tracking.partner_programs (program_id, partner_id, version, status)
      values (${program_id}, ${partner.partner_id}, 1, 'approved')
    `
  }
  return times.map(at => ({ at }))
}

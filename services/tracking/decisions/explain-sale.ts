import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Fragment, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import type { DecisionSubject, ExplainedSale } from "../contract"
import { customerNotFound } from "../customers/find-customer"
import { sql } from "../db"
import { findCandidates } from "./candidates"

const SALES_MAX = 100
const CANDIDATES_MAX = 50

type Request = RequestOf<typeof contract.explainSale>
type Reply = ReplyOf<typeof contract.explainSale>

/** Uses one snapshot. Pending sales are hidden, and test sales have no decision. */
export const explainSale = (request: Request): Promise<Reply> =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const { sales, customer_id } = await findSubject(sql, request)
    const [sale_id] = sales
    const sale = sale_id === undefined ? null : await readSale(sql, sale_id)
    const customer = await readCustomer(sql, customer_id)
    const { partner_id, link_id } = sale?.explained ?? customer
    const winner_id = sale ? sale.explained.click_event_id : customer.click_event_id
    const isDecidedByClicks = winner_id !== null && !sale?.explained.first_sale_id
    const { candidates, left_out } = isDecidedByClicks
      ? await findCandidates(
          sql,
          {
            customer_id,
            winner_id,
            last_click_event_id: sale?.last_click_event_id ?? null,
            until: sale?.explained.sale_date ?? null,
          },
          CANDIDATES_MAX,
        )
      : { candidates: [], left_out: 0 }
    return {
      sales,
      sale: sale?.explained ?? null,
      customer_key: customer.customer_key,
      partner_id,
      link: await readLink(sql, link_id),
      candidates,
      candidates_left_out: left_out,
    }
  })

type Found = { sales: number[]; customer_id: number }

async function findSubject(sql: Transaction, request: Request): Promise<Found> {
  const { program_id, subject } = request
  const { sale_id, transaction_id, click_event_id = 0 } = subject
  if (sale_id !== undefined) return findSale(sql, request, sql`id = ${sale_id}`)
  if (transaction_id !== undefined) {
    return findSale(sql, request, sql`transaction_id = ${transaction_id}`)
  }
  const customer_id = await findCustomerOf(sql, program_id, subject)
  const found = await sql<{ id: number }[]>`
    select id
    from affiliate_sale_events
    where customer_id = ${customer_id}
      and coalesce(last_click_event_id, ${click_event_id}) >= ${click_event_id}
      ${isShown(sql, request)}
    order by id desc
    limit ${SALES_MAX}
  `
  return { sales: found.map(({ id }) => id), customer_id }
}

async function findSale(sql: Transaction, request: Request, isNamed: Fragment): Promise<Found> {
  const [sale] = await sql<[{ id: number; customer_id: number }?]>`
    select id, customer_id
    from affiliate_sale_events
    where ${isNamed}
      ${isShown(sql, request)}
  `
  if (!sale) throw new Fault("missing", "Sale not found in this program.")
  return { sales: [sale.id], customer_id: sale.customer_id }
}

const isShown = (sql: Transaction, { program_id, partner_id }: Request) => sql`
  and program_id = ${program_id}
  and state = 'complete'
  and not is_test
  ${partner_id === null ? sql`` : sql`and partner_id = ${partner_id}`}
`

async function findCustomerOf(sql: Transaction, program_id: number, subject: DecisionSubject) {
  const { click_event_id, customer_key = null } = subject
  if (click_event_id === undefined) {
    const [customer] = await sql<[{ id: number }?]>`
      select id
      from customers
      where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
    `
    if (customer) return customer.id
    throw customerNotFound()
  }
  const [click] = await sql<[{ customer_id: number }?]>`
    select customer_id
    from affiliate_click_events
    where id = ${click_event_id}
      and program_id = ${program_id}
      and not is_test
  `
  if (click) return click.customer_id
  throw new Fault("missing", "Click not found in this program.")
}

async function readSale(sql: Transaction, id: number) {
  const [sale] = await sql<[ExplainedSale & { last_click_event_id: number | null }]>`
    select
      id, transaction_id, amount_cents, currency, product_id, is_attributed, first_sale_id,
      commission_id, partner_id, link_id, click_event_id, click_age_days, window_days, sale_date,
      last_click_event_id
    from affiliate_sale_events
    where id = ${id}
  `
  const { last_click_event_id, ...explained } = sale
  return { explained, last_click_event_id }
}

type ReadCustomer = {
  customer_key: string | null
  partner_id: number
  link_id: number
  click_event_id: number
}

async function readCustomer(sql: Transaction, id: number): Promise<ReadCustomer> {
  const [customer] = await sql<[ReadCustomer]>`
    select customer_key, partner_id, link_id, click_event_id
    from customers
    where id = ${id}
  `
  return customer
}

async function readLink(sql: Transaction, id: number) {
  const [link] = await sql<[{ id: number; code: string }]>`
    select id, code
    from referral_links
    where id = ${id}
  `
  return link
}

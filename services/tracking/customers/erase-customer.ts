import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import {
  anonymizeCalls,
  anonymizeClicks,
  anonymizeCustomer,
  anonymizeOutgoingEvents,
  anonymizeTests,
  type Identifiers,
  removeKey,
} from "./anonymize"
import { customerNotFound, findCustomer } from "./find-customer"

type Request = RequestOf<typeof contract.eraseCustomer>
type Reply = ReplyOf<typeof contract.eraseCustomer>

/** Anonymizes most clicks first, outside the transaction that locks the table of clicks. */
export async function eraseCustomer(request: Request): Promise<Reply> {
  await anonymizeClicks(sql, (await findCustomer(request)).customer_id)
  return retryOnConflict(() => sql.begin(sql => erase(sql, request)))
}

/**
 * Locks the table of clicks first. This waits for running clicks, which may have read the click_id;
 * later clicks no longer find the customer. Leads and sales lock their customer, as this does.
 */
async function erase(sql: Transaction, { program_id, customer_key }: Request): Promise<Reply> {
  await sql`set local lock_timeout = '500ms'` // clicks queue behind this lock: fail early
  await sql`lock table only affiliate_click_events in share row exclusive mode`
  await sql`set local lock_timeout to default`
  const identifiers = await lockByKey(sql, program_id, customer_key)

  await anonymizeClicks(sql, identifiers.customer_id)
  await anonymizeCustomer(sql, identifiers)
  await anonymizeOutgoingEvents(sql, identifiers)
  await anonymizeTests(sql, identifiers)
  await anonymizeCalls(sql, identifiers)
  const others = await removeKey(sql, identifiers)

  const { customer_id } = identifiers
  const erased_at = await recordErasures(sql, identifiers, others)
  const change = { program_id, subject_id: customer_id, details: { erased_at } }
  await recordChange(sql, { action: "customer.erase", ...change })
  return { customer_id, erased_at }
}

/**
 * Locks the customer, and those with a lead under the same key, whose rows change as well. Locking
 * in the order of ids, as leads and sales do, avoids deadlocks. Throws "missing".
 */
async function lockByKey(
  sql: Transaction,
  program_id: number,
  customer_key: string,
): Promise<Identifiers> {
  const locked = await sql<Identifiers[]>`
    select
      program_id, id as customer_id, customer_key, email_hash,
      case when names_click then click_id end as click_id
    from customers
    where id in (
      select id
      from customers
      where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
      union all
      select customer_id
      from affiliate_lead_events
      where (program_id, customer_key) = (${program_id}::bigint, ${customer_key}::text)
    )
    order by id
    for update
  `
  const identifiers = locked.find(row => row.customer_key === customer_key)
  if (!identifiers) throw customerNotFound()
  return identifiers
}

/** Adds erasures to the feed. Of the customers `others` only the key is removed. */
async function recordErasures(
  sql: Transaction,
  { program_id, customer_id }: Identifiers,
  others: number[],
): Promise<string> {
  const [{ erased_at }] = await sql<[{ erased_at: string }]>`
    insert into erasures (program_id, customer_id, scope)
    select ${program_id}::bigint, ${customer_id}::bigint, 'customer'
    union all
    select ${program_id}::bigint, id, 'customer_key'
    from unnest(${others}::bigint[]) as other (id)
    returning erased_at
  `
  return erased_at
}

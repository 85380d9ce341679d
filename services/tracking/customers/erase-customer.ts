import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { type Names, stripClicks, stripCustomer, stripKey, stripTests } from "./anonymize"
import { findCustomer, noSuchKey } from "./find-customer"

type Asked = RequestOf<typeof contract.eraseCustomer>
type Erased = ReplyOf<typeof contract.eraseCustomer>

/** Most clicks are stripped before anybody has to wait for it. */
export async function eraseCustomer(asked: Asked): Promise<Erased> {
  await stripClicks(sql, (await findCustomer(asked)).customer_id)
  return retryOnConflict(() => sql.begin(sql => erase(sql, asked)))
}

/**
 * The table of clicks is locked first: clicks under way, which may have read the click_id, are
 * waited for, and those to come find nobody. Leads and sales lock their customer, as we do.
 */
async function erase(sql: Transaction, { program_id, customer_key }: Asked): Promise<Erased> {
  await sql`set local lock_timeout = '500ms'` // clicks queue behind us: sooner in vain than late
  await sql`lock table only affiliate_click_events in share row exclusive mode`
  await sql`set local lock_timeout to default`
  const names = await lockByKey(sql, program_id, customer_key)

  await stripClicks(sql, names.customer_id)
  await stripCustomer(sql, names)
  await stripTests(sql, names)
  const others = await stripKey(sql, names)

  const { customer_id } = names
  const erased_at = await recordErasures(sql, names, others)
  const change = { program_id, subject_id: customer_id, details: { erased_at } }
  await recordChange(sql, { action: "customer.erase", ...change })
  return { customer_id, erased_at }
}

/**
 * The customer, locked, and with it those who were called by the key once: their rows change, too,
 * and who locks in one order, as leads and sales do, does not deadlock.
 */
async function lockByKey(
  sql: Transaction,
  program_id: number,
  customer_key: string,
): Promise<Names> {
  const locked = await sql<Names[]>`
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
  const names = locked.find(named => named.customer_key === customer_key)
  if (!names) throw noSuchKey()
  return names
}

/** For the readers of the feeds. `others` were only called by the key once. */
async function recordErasures(
  sql: Transaction,
  { program_id, customer_id }: Names,
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

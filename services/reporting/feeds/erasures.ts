import type { Transaction } from "../../../lib/db/database"
import { rewriteSetAside } from "../../../lib/feeds/set-aside"
import type { Feed } from "../../../lib/feeds/source"
import type { ErasureRow } from "../../tracking/contract"

/** Anonymizes the events of customers that tracking erased (behaviour 5.2.3). */
export const erasures: Feed<ErasureRow> = { name: "erasures", apply, forget }

async function apply(sql: Transaction, rows: ErasureRow[]) {
  await sql`
    insert into erased_customers (customer_id, scope)
    select customer_id, scope
    from jsonb_to_recordset(${sql.json(rows)}) as erasure (customer_id bigint, scope text)
    on conflict do nothing
  `
  for (const scope of ["customer", "customer_key"] as const) {
    const erased = rows.filter(row => row.scope === scope).map(row => row.customer_id)
    await sql`
      update events
      set ${sql(CLEARED_FIELDS[scope])}
      where customer_id = any (${erased}::bigint[])
    `
  }
  for (const feed of ["clicks", "leads", "sales"]) {
    await rewriteSetAside<{ customer_id: number }>(sql, feed, rows => anonymizeErased(sql, rows))
  }
}

/**
 * Removes personal data from rows whose customer is erased. Feeds are read independently, so a row
 * may be read before the erasure of its customer and applied after it.
 */
export async function anonymizeErased<Row extends { customer_id: number }>(
  sql: Transaction,
  rows: Row[],
): Promise<Row[]> {
  const erased = await sql<{ customer_id: number; scope: ErasureRow["scope"] }[]>`
    select customer_id, scope
    from erased_customers
    where customer_id = any (${rows.map(row => row.customer_id)}::bigint[])
    order by scope desc -- 'customer' comes last, and so wins over 'customer_key'
  `
  if (erased.length === 0) return rows
  const cleared = new Map(
    erased.map(({ customer_id, scope }) => [customer_id, CLEARED_FIELDS[scope]]),
  )
  return rows.map(row => ({ ...row, ...cleared.get(row.customer_id) }))
}

const KEY = { customer_key: null }
const PERSONAL_DATA = {
  session_id: null,
  page_url: null,
  referrer_url: null,
  geo_region: null,
  geo_city: null,
}
const CLEARED_FIELDS = { customer: { click_id: null, ...KEY, ...PERSONAL_DATA }, customer_key: KEY }

async function forget(sql: Transaction) {
  await sql`delete from erased_customers`
}

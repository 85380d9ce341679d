import type { Transaction } from "../../../lib/db/database"
import type { Feed } from "../../../lib/feeds/source"
import type { ErasureRow } from "../../tracking/contract"

/** Whom tracking has erased: nothing that names them is shown from then on. */
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
      set ${sql(NAMES[scope])}
      where customer_id = any (${erased}::bigint[])
    `
  }
}

/**
 * Rows without what named those who are erased. The feeds come in no order among each other: a row
 * may have been read before its customer was erased, and be applied after.
 */
export async function withoutErased<Row extends { customer_id: number }>(
  sql: Transaction,
  rows: Row[],
): Promise<Row[]> {
  const erased = await sql<{ customer_id: number; scope: ErasureRow["scope"] }[]>`
    select customer_id, scope
    from erased_customers
    where customer_id = any (${rows.map(row => row.customer_id)}::bigint[])
    order by scope desc -- of both, 'customer' counts: it comes last
  `
  if (erased.length === 0) return rows
  const names = new Map(erased.map(({ customer_id, scope }) => [customer_id, NAMES[scope]]))
  return rows.map(row => ({ ...row, ...names.get(row.customer_id) }))
}

const KEY = { customer_key: null }
const TRACES = {
  session_id: null,
  page_url: null,
  referrer_url: null,
  geo_region: null,
  geo_city: null,
}
const NAMES = { customer: { click_id: null, ...KEY, ...TRACES }, customer_key: KEY }

async function forget(sql: Transaction) {
  await sql`delete from erased_customers`
}

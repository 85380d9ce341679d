/** A corruption: its last statement changes at least one row. */
export type Damage = {
  damage: string
  invariant: string // must report it
  sql: string
}

/** The program of history.ts: each kind of sale is in it. */
export const PROGRAM = "(select max(id) from identity.programs)"

export const sale = (condition: string) => `(
  select id
  from tracking.affiliate_sale_events as sale
  where not is_test and state = 'complete' and ${condition}
  order by id
  limit 1
)`
export const PLAIN_SALE = sale("first_sale_id is null and is_attributed and not is_recurring")
export const VISITOR = "(select min(id) from tracking.customers where customer_status = 'click')"

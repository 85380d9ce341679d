/** A corruption: its last statement changes at least one row. */
export type Damage = {
  damage: string
  invariant: string // must report it
  sql: string
}

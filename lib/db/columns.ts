/** Rows as one list per column, which PostgreSQL turns into JSON faster. Null: there are no rows. */
export type Columns<Row> = { [Name in keyof Row]: Row[Name][] | null }

/** Turns columns back into rows. */
export function rowsOf<Row>(columns: Columns<Row>): Row[] {
  const rows: Row[] = []
  for (const [name, values] of Object.entries(columns) as [keyof Row, Row[keyof Row][] | null][]) {
    for (const [i, value] of (values ?? []).entries()) {
      rows[i] ??= {} as Row
      rows[i][name] = value
    }
  }
  return rows
}

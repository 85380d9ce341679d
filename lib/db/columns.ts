/** A column of rows as a list, for unnest() to make rows of again. */
export const columnsOf =
  <Row>(rows: Row[]) =>
  <Name extends keyof Row>(name: Name): Row[Name][] =>
    rows.map(row => row[name])

/** The columns of rows, each a list: PostgreSQL makes JSON of them sooner. Null: there are no rows. */
export type Columns<Row> = { [Name in keyof Row]: Row[Name][] | null }

/** Rows of their columns again. */
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

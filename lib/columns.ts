/** A column of rows as a list, for unnest() to make rows of again. */
export const columnsOf =
  <Row>(rows: Row[]) =>
  <Name extends keyof Row>(name: Name): Row[Name][] =>
    rows.map(row => row[name])

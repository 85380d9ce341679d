import { sql } from "./world"

/** Rows as a table, numbered, because ids must be assigned in this order. */
export const recordset = (rows: object[]) =>
  sql`jsonb_to_recordset(${sql.json(rows.map((row, n) => ({ ...row, n })))})`

export const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
export const sample = <Item>(items: Item[], oneIn: number) =>
  items.filter(() => randomBelow(oneIn) === 0)

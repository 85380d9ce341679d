import { type TProperties, type TSchema, Type } from "@sinclair/typebox"
import { type Page, type Slice, sliceOf } from "../../lib/fields"

const Pagination = Type.Object({
  page: Type.Integer(),
  pageSize: Type.Integer(),
  pageCount: Type.Integer(),
  total: Type.Integer(),
})

/** A list with its pagination (behaviour 1.4). */
export const listOf = <Row>(rows: Row[], total: number, { page, pageSize }: Page) => ({
  data: rows,
  meta: { pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } },
})

/** The schema of a list. `meta`: further fields next to the pagination. */
export const Listed = <Row extends TSchema, Meta extends TProperties = {}>(
  row: Row,
  meta: Meta = {} as Meta,
) =>
  Type.Object({
    data: Type.Array(row),
    meta: Type.Object({ ...meta, pagination: Pagination }),
  })

/**
 * Reads a whole page, in several messages if the rows do not fit into one: after the `last` row if
 * the list supports it, else by offset. Rows that come twice, because new rows at the top have
 * pushed them down, are left out.
 */
export async function wholePage<Row, Part extends { rows: Row[]; total: number }>(
  page: Page,
  read: (slice: Slice, last?: Row) => Promise<Part>,
): Promise<Part> {
  const { offset, limit } = sliceOf(page)
  const listed = await read({ offset, limit })
  const expected = Math.min(limit, listed.total - offset)
  let seen = listed.rows.length

  while (listed.rows.length < expected) {
    const rest = { offset: offset + seen, limit: limit - listed.rows.length }
    const { rows } = await read(rest, listed.rows.at(-1))
    if (rows.length === 0) break // some were removed meanwhile
    seen += rows.length
    const known = new Set(listed.rows.map(textOf))
    listed.rows.push(...rows.filter(row => !known.has(textOf(row))))
  }
  return listed
}

const textOf = (row: unknown): string => JSON.stringify(row)

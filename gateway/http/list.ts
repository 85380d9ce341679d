import { type TSchema, Type } from "@sinclair/typebox"
import { type Page, type Slice, sliceOf } from "../../lib/fields"

const Pagination = Type.Object({
  page: Type.Integer(),
  pageSize: Type.Integer(),
  pageCount: Type.Integer(),
  total: Type.Integer(),
})

/** A list as every endpoint answers it (specification 4.6). */
export const listOf = <Row>(rows: Row[], total: number, { page, pageSize }: Page) => ({
  data: rows,
  meta: { pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } },
})

/** The schema of such a list, and of what else it says of itself. */
export const Listed = <Row extends TSchema>(row: Row, meta: Record<string, TSchema> = {}) =>
  Type.Object({
    data: Type.Array(row),
    meta: Type.Object({ ...meta, pagination: Pagination }),
  })

/**
 * All of a page. What one message does not hold is asked for in another: after the `last` row, where
 * the list can, or else by offset. What has come at the top meanwhile pushes rows down, which then
 * come again.
 */
export async function wholePage<Row, Part extends { rows: Row[]; total: number }>(
  page: Page,
  ask: (slice: Slice, last?: Row) => Promise<Part>,
): Promise<Part> {
  const { offset, limit } = sliceOf(page)
  const listed = await ask({ offset, limit })
  const expected = Math.min(limit, listed.total - offset)
  let seen = listed.rows.length

  while (listed.rows.length < expected) {
    const rest = { offset: offset + seen, limit: limit - listed.rows.length }
    const { rows } = await ask(rest, listed.rows.at(-1))
    if (rows.length === 0) break // some are gone meanwhile
    seen += rows.length
    const known = new Set(listed.rows.map(textOf))
    listed.rows.push(...rows.filter(row => !known.has(textOf(row))))
  }
  return listed
}

const textOf = (row: unknown): string => JSON.stringify(row)

import { type TSchema, Type } from "@sinclair/typebox"
import { type Page, type Slice, sliceOf } from "../lib/fields"

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

/** All of a page. What one message does not hold is asked for in another. */
export async function wholePage<Row, Part extends { rows: Row[]; total: number }>(
  page: Page,
  ask: (slice: Slice) => Promise<Part>,
): Promise<Part> {
  const { offset, limit } = sliceOf(page)
  const listed = await ask({ offset, limit })
  const expected = Math.min(limit, listed.total - offset)

  while (listed.rows.length < expected) {
    const more = listed.rows.length
    const { rows } = await ask({ offset: offset + more, limit: limit - more })
    if (rows.length === 0) break // some are gone meanwhile
    listed.rows.push(...rows)
  }
  return listed
}

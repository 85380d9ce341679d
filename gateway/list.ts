import type { Page } from "../lib/fields"

/** A list as every endpoint answers it (specification 4.6). */
export const listOf = <Row>(rows: Row[], total: number, { page, pageSize }: Page) => ({
  data: rows,
  meta: { pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } },
})

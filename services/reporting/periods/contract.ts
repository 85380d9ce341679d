import { Type } from "@sinclair/typebox"

/** A bound of a range in a query: a UTC day or a time (behaviour 7.1.1). */
export const Day = Type.Optional(
  Type.String({ description: "a date like 2026-01-31 or a time like 2026-01-31T23:59:59.999Z" }),
)

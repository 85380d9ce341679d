import { type Static, type TSchema, Type } from "@sinclair/typebox"

/** An id that the database gave out: 1, 2, 3… */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "a positive integer",
})

/** An id or name that somebody else gave: stored as it came, compared exactly. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "a text of 1 to 255 characters",
})

/** Money to pay or to refund, in the smallest unit of its currency. */
export const Cents = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "a positive integer, in the smallest unit of the currency",
})

/** A time as it is answered: ISO 8601 in UTC, with milliseconds. */
export const Time = Type.String({ description: "a time like 2026-01-31T23:59:59.999Z" })

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()], { description: `${schema.description}, or null` })

/** Which part of a list is asked for. `page` counts from 1. */
export const Page = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "an integer from 1",
  }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, description: "an integer from 1 to 100" }),
})
export type Page = Static<typeof Page>

/** A part of a list, and how many there are in all. */
export const ListOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ rows: Type.Array(schema), total: Type.Integer() })

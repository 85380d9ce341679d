import { FormatRegistry, type Static, type TSchema, Type } from "@sinclair/typebox"

/** An id that the database gave out: 1, 2, 3… */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "a positive integer",
})

/** An id or name that somebody else gave: stored as it came, compared exactly. */
export const Name = Type.RegExp(/^[\s\S]{1,255}$/u, {
  description: "a text of 1 to 255 characters",
})

/** What people call a thing. */
export const Title = Type.RegExp(/^(?=[\s\S]*\S)[\s\S]{1,255}$/u, {
  description: "a text of 1 to 255 characters, and not of spaces alone",
})

/** Money to pay or to refund, in the smallest unit of its currency. */
export const Cents = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "a positive integer, in the smallest unit of the currency",
})

/** A time as it is answered: ISO 8601 in UTC, with milliseconds. */
export const Time = Type.String({ description: "a time like 2026-01-31T23:59:59.999Z" })

/** A time as it is asked for: a day, which begins in UTC, or ISO 8601. */
export const Instant = Type.String({
  format: "instant",
  description: "a time like 2026-01-31T23:59:59Z",
})

FormatRegistry.Set("instant", text => {
  const [, day] = INSTANT.exec(text) ?? []
  const [year] = /^\d{4}/.exec(asTime(text)) ?? [] // +010000-01-01 is no year of a database's
  if (!day || !year || year === "0000") return false
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) // February 30 is March 2
})
const asTime = (text: string): string => {
  const time = new Date(text)
  return Number.isNaN(time.valueOf()) ? "" : time.toISOString()
}
const INSTANT = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/** One of these words. Refusals and documents name them all. */
export const OneOf = <const Choice extends string>(...choices: Choice[]) =>
  Type.Unsafe<Choice>(
    Type.Union(
      choices.map(choice => Type.Literal(choice)),
      { description: choices.join(", ").replace(/, ([^,]*)$/, " or $1") },
    ),
  )

export const Flag = Type.Boolean({ description: "true or false" })

/** An address as people type it: what is before and after the @ is theirs to know. */
export const Email = Type.RegExp(/^(?=[\s\S]{0,320}$)[^\s@]+@[^\s@]+$/u, {
  description: "an e-mail address",
})

/** What is compared of an address: its letters without their case, composed the same way. */
export const foldedEmail = (email: string): string => email.toLowerCase().normalize("NFC")

/** The aff value of a referral link. */
export const LinkCode = Type.String({
  pattern: "^[A-Za-z0-9_-]{3,64}$",
  description: "a text of 3 to 64 letters, digits, _ or -",
})

/** A reason in words. */
export const Reason = Type.RegExp(/^[\s\S]{0,1024}$/u, {
  description: "a text of at most 1,024 characters",
})

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()], {
    description: `${schema.description ?? schema.type}, or null`,
  })

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

/** The same as services are asked. It need not fit into one message (lib/bus/rows-that-fit.ts). */
export const Slice = Type.Object({
  offset: Type.Integer({ minimum: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 100 }),
})
export type Slice = Static<typeof Slice>

export const sliceOf = ({ page, pageSize }: Page): Slice => ({
  limit: pageSize,
  offset: Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER),
})

/** A part of a list, and how many there are in all. */
export const ListOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ rows: Type.Array(schema), total: Type.Integer() })

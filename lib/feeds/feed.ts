import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { operation } from "../bus/operation"
import { Nullable } from "../fields"

const Snapshot = Type.String({ description: "a pg_snapshot as text" })

/** How far a feed has been read. Its reader keeps it as it came and hands it back. */
export const FeedPosition = Type.Object({
  origin: Type.String(), // whose transaction ids these are: another server's mean nothing here
  done: Snapshot, // what was read to its end
  target: Nullable(Snapshot), // what is being read to now; null: the last target is reached
  as_of: Type.String(), // when the target, or the last one reached, was taken
  at_xact: Type.String(), // the last row that was handed out on the way to the target
  at_id: Type.Integer(),
})
export type FeedPosition = Static<typeof FeedPosition>

/**
 * What a feed tells: rows, how far they reach, and whether that is all there was. Each row is a list
 * of the values of `columns`, whose names would take half of a message; or an object, where these
 * are absent.
 */
const Told = <Row extends TSchema>(row: Row) =>
  Type.Object({
    columns: Type.Optional(Type.Array(Type.String())),
    rows: Type.Array(Type.Union([row, Type.Array(Type.Unknown())])),
    cursor: FeedPosition,
    is_drained: Type.Boolean(),
  })

/**
 * The question for more of all the feeds of a service that one reader follows, named with the rows
 * that they tell. A null cursor starts a feed. They share a message: most have nothing new. A feed
 * that the other one's version does not know yet is neither asked for nor told.
 */
export function feedsOf<Rows extends Record<string, TSchema>>(subject: string, rows: Rows) {
  const each = <Schema extends TSchema>(schemaOf: (row: TSchema) => Schema) =>
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, schemaOf(row)]))

  return operation(subject, {
    request: Type.Object({
      cursors: Type.Partial(Type.Object(each(() => Nullable(FeedPosition)) as CursorOf<Rows>)),
      limit: Type.Integer({ minimum: 1, maximum: 5_000 }), // of the rows of each
      takes_lists: Type.Optional(Type.Boolean()), // absent: by a reader of the version before
    }),
    reply: Type.Partial(Type.Object(each(Told) as ToldOf<Rows>)),
  })
}
type CursorOf<Rows> = { [Name in keyof Rows]: ReturnType<typeof Nullable<typeof FeedPosition>> }
type ToldOf<Rows extends Record<string, TSchema>> = {
  [Name in keyof Rows]: ReturnType<typeof Told<Rows[Name]>>
}

/** A row as an object again. */
export const rowOf = (columns: string[], values: unknown[]) => {
  const row: Record<string, unknown> = {}
  for (const [i, column] of columns.entries()) row[column] = values[i]
  return row
}

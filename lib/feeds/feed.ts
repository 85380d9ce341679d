import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { operation } from "../bus/operation"
import { Nullable } from "../fields"

const Snapshot = Type.String({ description: "a pg_snapshot as text" })

/** How far a feed has been read. Its reader stores it and sends it back unchanged. */
export const FeedPosition = Type.Object({
  origin: Type.String(), // the server of these transaction ids; on another server they mean nothing
  done: Snapshot, // has been read completely
  target: Nullable(Snapshot), // is being read up to here; null: the last target is reached
  as_of: Type.String(), // when the target, or the last one reached, was set
  at_xact: Type.String(), // the last row sent on the way to the target
  at_id: Type.Integer(),
})
export type FeedPosition = Static<typeof FeedPosition>

/**
 * A part of a feed: rows, the position after them, and whether its target is reached. Each row is a
 * list of the values of `columns`, because repeated names would fill half of a message. Rows are
 * objects if `columns` is absent.
 */
const FeedPart = <Row extends TSchema>(row: Row) =>
  Type.Object({
    columns: Type.Optional(Type.Array(Type.String())),
    rows: Type.Array(Type.Union([row, Type.Array(Type.Unknown())])),
    cursor: FeedPosition,
    is_drained: Type.Boolean(),
  })

/**
 * Declares the operation that reads all feeds of a service which one reader follows. `rows` maps
 * each feed to the schema of its rows. A null cursor starts a feed. The feeds share a message,
 * because most have nothing new. A feed that one side's version does not know is left out.
 */
export function feedsOf<Rows extends Record<string, TSchema>>(subject: string, rows: Rows) {
  const each = <Schema extends TSchema>(schemaOf: (row: TSchema) => Schema) =>
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, schemaOf(row)]))

  return operation(subject, {
    request: Type.Object({
      cursors: Type.Partial(Type.Object(each(() => Nullable(FeedPosition)) as CursorOf<Rows>)),
      limit: Type.Integer({ minimum: 1, maximum: 5_000 }), // rows of each feed
      takes_lists: Type.Optional(Type.Boolean()), // absent: a reader of an older version
    }),
    reply: Type.Partial(Type.Object(each(FeedPart) as PartsOf<Rows>)),
  })
}
type CursorOf<Rows> = { [Name in keyof Rows]: ReturnType<typeof Nullable<typeof FeedPosition>> }
type PartsOf<Rows extends Record<string, TSchema>> = {
  [Name in keyof Rows]: ReturnType<typeof FeedPart<Rows[Name]>>
}

/** Turns the values of a row into an object. */
export const rowOf = (columns: string[], values: unknown[]) => {
  const row: Record<string, unknown> = {}
  for (const [i, column] of columns.entries()) row[column] = values[i]
  return row
}

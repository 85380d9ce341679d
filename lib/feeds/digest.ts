import { type Static, type TObject, Type } from "@sinclair/typebox"
import { operation } from "../bus/operation"
import type { Database, Fragment, Transaction } from "../db/database"
import { Nullable } from "../fields"

const BUCKETS = 4_096 // a digest of all of them fits in one message

/**
 * Which rows of a feed to digest. "all": rows whose ids leave the same remainder form a bucket.
 * `buckets`: each row of these buckets. `ids`: each column of these rows.
 */
const Scope = Type.Union([
  Type.Literal("all"),
  Type.Object({ buckets: Type.Array(Type.Integer()) }),
  Type.Object({ ids: Type.Array(Type.Integer()) }),
])
export type Scope = Static<typeof Scope>

/** `key` is a bucket, or the id of a row. Equal hashes mean equal rows or, with `ids`, columns. */
const Digest = Type.Object({
  key: Type.Integer(),
  rows: Type.Integer(),
  hashes: Type.Array(Type.String()),
})
export type Digest = Static<typeof Digest>

const DigestRequest = Type.Object({ feed: Type.String(), scope: Scope })

/** Digests a feed at its owner, as far as a reader has read it: `done` of its position. */
export const feedDigestOf = (service: string) =>
  operation(`${service}.feed.digest`, {
    request: Type.Composite([DigestRequest, Type.Object({ done: Type.String() })]),
    reply: Type.Array(Digest),
  })

/**
 * Digests a reader's copy of a feed, in one snapshot with how far the feed is read: `done`. Null: it
 * was never read, or is being read now.
 */
export const copyDigestOf = (service: string) =>
  operation(`${service}.feed.digest_copy`, {
    request: DigestRequest,
    reply: Type.Object({ done: Nullable(Type.String()), digests: Type.Array(Digest) }),
  })

/** What to select from, with a condition, the id of a row, and the columns that the feed carries. */
export type Digestible = { from: Fragment; id: Fragment; columns: string[] }

/** An id for rows that are known by several columns. */
export const idOf = (sql: Database, columns: Fragment) => sql`
  (hash_record_extended(row(${columns}), 0) & ${Number.MAX_SAFE_INTEGER}::bigint)
`

/** The columns of a feed, in the order of its row's schema. The id is compared anyway. */
export const columnsOf = (row: TObject) => Object.keys(row.properties).filter(name => name !== "id")

/**
 * Digests rows. The hash is PostgreSQL's own of a record, which depends on neither time zone nor
 * date style. The sum of hashes depends on no order.
 */
export function digest(sql: Transaction, { from, id, columns }: Digestible, scope: Scope) {
  const all = hashOf(
    sql,
    list(
      sql,
      columns.map(name => sql`${sql(name)}`),
    ),
  )
  if (scope === "all") {
    return sql<Digest[]>`
      select
        ${id} % ${BUCKETS}::bigint as key, count(*) as rows,
        jsonb_build_array(sum(${all})::text) as hashes
      from ${from}
      group by 1
    `
  }
  if ("buckets" in scope) {
    return sql<Digest[]>`
      select ${id} as key, count(*) as rows, jsonb_build_array(sum(${all})::text) as hashes
      from ${from}
        and ${id} % ${BUCKETS}::bigint = any (${scope.buckets}::bigint[])
      group by 1
    `
  }
  const hashes = columns.map(name => sql`sum(${hashOf(sql, sql`${sql(name)}`)})::text`)
  return sql<Digest[]>`
    select ${id} as key, count(*) as rows, jsonb_build_array(${list(sql, hashes)}) as hashes
    from ${from}
      and ${id} = any (${scope.ids}::bigint[])
    group by 1
  `
}

const hashOf = (sql: Transaction, columns: Fragment) =>
  sql`hash_record_extended(row(${columns}), 0)`

const list = (sql: Transaction, items: Fragment[]) =>
  items.reduce((others, item) => sql`${others}, ${item}`)

import { type Static, Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database, Fragment, Transaction } from "./db/database"

const BROKEN_MAX = 50 // of one promise: whoever reads them needs no more to see what it is
const STATEMENT_TIMEOUT = "10min" // it reads whole tables, and nobody waits for it

export const Reconciliation = Type.Array(
  Type.Object({
    promise: Type.String(),
    rows: Type.Integer(), // that were looked at
    broken: Type.Array(Type.String()), // a sentence for each row that breaks it
  }),
)

/** Whether a service's own books keep what they promise. */
export const reconcileOf = (service: string) =>
  operation(`${service}.books.audit`, { request: Type.Object({}), reply: Reconciliation })

export type Invariant = {
  promise: string
  table: string
  /** One column: a sentence for each row that breaks the promise. */
  broken(sql: Transaction): Fragment
}

/** Looks at all of it as of one moment. */
export const reconciler = (sql: Database, checks: Invariant[]) => () =>
  inSnapshot(sql, async sql => {
    const audited = []
    for (const { promise, table, broken } of checks) {
      const [{ rows }] = await sql<[{ rows: number }]>`select count(*) as rows from ${sql(table)}`
      const found = await sql<{ sentence: string }[]>`
        select sentence
        from (${broken(sql)}) as found (sentence)
        limit ${BROKEN_MAX}
      `
      audited.push({ promise, rows, broken: found.map(({ sentence }) => sentence) })
    }
    return audited
  })

/** Reads in one transaction, for as long as it takes. */
export const inSnapshot = <Result>(sql: Database, read: (sql: Transaction) => Promise<Result>) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`
    return read(sql)
  }) as Promise<Result>

/** What of a feed concerns one program, in numbers: equal where the rows are. */
export const FeedTotal = Type.Object({
  feed: Type.String(),
  program_id: Type.Integer(),
  rows: Type.Integer(),
  ids: Type.String(), // their sum, as the next
  amount_cents: Type.String(),
})
export type FeedTotal = Static<typeof FeedTotal>

/** Programs in the order of their ids: so large a part of them that its totals fit in a message. */
const ProgramRange = Type.Object({ after_id: Type.Integer(), through_id: Type.Integer() })

/** How far a reader has read feeds, as `done` of lib/feeds/feed.ts says it. */
const FeedsRead = Type.Array(Type.Object({ feed: Type.String(), done: Type.String() }))

const FeedTotalsRequest = Type.Object({ programs: ProgramRange, read: FeedsRead })
export type FeedTotalsRequest = Static<typeof FeedTotalsRequest>

/** The totals of a service's feeds, as far as their reader has read them. */
export const feedTotalsOf = (service: string) =>
  operation(`${service}.feed.total`, {
    request: FeedTotalsRequest,
    reply: Type.Array(FeedTotal),
  })

/** The rows of a feed that such a question is about. None of a feed that it does not name. */
export function feedRowsIn(sql: Transaction, feed: string, asked: FeedTotalsRequest) {
  const done = asked.read.find(other => other.feed === feed)?.done ?? null
  return sql`
    ${programsIn(sql, asked)}
      and pg_visible_in_snapshot(final_xact, ${done}::pg_snapshot)
  `
}

export const programsIn = (sql: Transaction, { programs }: FeedTotalsRequest) => sql`
  program_id > ${programs.after_id}
    and program_id <= ${programs.through_id}
`

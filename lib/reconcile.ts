import { type Static, Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database, Fragment, Transaction } from "./db/database"

const VIOLATIONS_MAX = 50 // per invariant: enough to see what is wrong
const STATEMENT_TIMEOUT = "10min" // it reads whole tables, and no caller waits

/** The result of each invariant: its text, the rows checked, and a sentence for each violation. */
export const Reconciliation = Type.Array(
  Type.Object({
    invariant: Type.String(),
    rows: Type.Integer(), // checked
    violations: Type.Array(Type.String()), // a sentence for each violation, 50 at most
  }),
)

/** Checks the invariants of a service's own books (behaviour 9.7.1). */
export const reconcileOf = (service: string) =>
  operation(`${service}.books.audit`, { request: Type.Object({}), reply: Reconciliation })

export type Invariant = {
  invariant: string // what must hold, as a sentence
  table: string
  /** Selects one column: a sentence for each row that violates the invariant. */
  violations(sql: Transaction): Fragment
}

/** Returns a handler that checks all invariants in one snapshot. */
export const reconciler = (sql: Database, invariants: Invariant[]) => () =>
  inSnapshot(sql, async sql => {
    const results = []
    for (const { invariant, table, violations } of invariants) {
      const [{ rows }] = await sql<[{ rows: number }]>`select count(*) as rows from ${sql(table)}`
      const found = await sql<{ sentence: string }[]>`
        select sentence
        from (${violations(sql)}) as found (sentence)
        limit ${VIOLATIONS_MAX}
      `
      results.push({ invariant, rows, violations: found.map(({ sentence }) => sentence) })
    }
    return results
  })

/** Runs `read` in one read-only snapshot, with up to ten minutes for each statement. */
export const inSnapshot = <Result>(sql: Database, read: (sql: Transaction) => Promise<Result>) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`
    return read(sql)
  }) as Promise<Result>

/** The totals of one program's rows in a feed. Equal totals mean equal rows. */
export const FeedTotal = Type.Object({
  feed: Type.String(),
  program_id: Type.Integer(),
  rows: Type.Integer(),
  ids: Type.String(), // the sum of all ids
  amount_cents: Type.String(), // the sum of all amounts
})
export type FeedTotal = Static<typeof FeedTotal>

/** A range of program ids, small enough that its totals fit in one message. */
const ProgramRange = Type.Object({ after_id: Type.Integer(), through_id: Type.Integer() })

/** How far a reader has read each feed: `done` of its position (lib/feeds/feed.ts). */
const FeedsRead = Type.Array(Type.Object({ feed: Type.String(), done: Type.String() }))

const FeedTotalsRequest = Type.Object({ programs: ProgramRange, read: FeedsRead })
export type FeedTotalsRequest = Static<typeof FeedTotalsRequest>

/** Returns the totals of a service's feeds, up to where their reader has read them. */
export const feedTotalsOf = (service: string) =>
  operation(`${service}.feed.total`, {
    request: FeedTotalsRequest,
    reply: Type.Array(FeedTotal),
  })

/** Selects the rows of a feed that a request covers: none if it does not name the feed. */
export function feedRowsIn(sql: Transaction, feed: string, request: FeedTotalsRequest) {
  const done = request.read.find(other => other.feed === feed)?.done ?? null
  return sql`
    ${programsIn(sql, request)}
      and pg_visible_in_snapshot(final_xact, ${done}::pg_snapshot)
  `
}

export const programsIn = (sql: Transaction, { programs }: FeedTotalsRequest) => sql`
  program_id > ${programs.after_id}
    and program_id <= ${programs.through_id}
`

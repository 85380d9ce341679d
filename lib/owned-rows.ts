import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database, Fragment, Transaction } from "./db/database"
import { check, Findings, type Invariant, inSnapshot } from "./reconcile"

/**
 * Declares the operation that lists what a service owns and others copy or build on, by `id`, for
 * `npm run audit`. Fewer than `limit` rows are the last.
 */
export const ownedRowsOf = <Row extends TSchema>(subject: string, row: Row) =>
  operation(subject, {
    request: Type.Object({ after_id: Type.Integer(), limit: Type.Integer() }),
    reply: Type.Array(row),
  })

/**
 * Declares the operation that compares a service's own rows with those of their owner. The request
 * has all of the owner's rows with an id in the range.
 */
export const ownedRowsCheckOf = <Row extends TSchema>(subject: string, row: Row) =>
  operation(subject, {
    request: Type.Object({
      after_id: Type.Integer(),
      through_id: Type.Integer(),
      rows: Type.Array(row),
    }),
    reply: Findings,
  })

type Request<Row> = { after_id: number; through_id: number; rows: Row[] }

/** What an invariant compares: the owner's rows as a relation, and whether an id is in the range. */
export type Owned = { rows: Fragment; isInRange(id: Fragment): Fragment }

/** Returns a handler that checks invariants against an owner's rows, in one snapshot. */
export const ownedRowsChecker =
  <Row>(
    sql: Database,
    relation: (sql: Transaction, rows: readonly Row[]) => Fragment,
    invariants: Omit<Invariant<Owned>, "table">[],
  ) =>
  ({ after_id, through_id, rows }: Request<Row>) =>
    inSnapshot(sql, async sql => {
      const isInRange = (id: Fragment) => sql`(${id} > ${after_id} and ${id} <= ${through_id})`
      const findings: Static<typeof Findings> = []
      for (const invariant of invariants) {
        const input = { rows: relation(sql, rows), isInRange }
        findings.push(await check(sql, { ...invariant, table: "" }, rows.length, input))
      }
      return findings
    })

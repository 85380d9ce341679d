import { type Static, Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database, Fragment, Transaction } from "./db/database"

const VIOLATIONS_MAX = 50 // per invariant: enough to see what is wrong
const STATEMENT_TIMEOUT = "10min" // it reads whole tables, and no caller waits

/** Names a row that violates an invariant, and says how: "Sale 7" "has no commission". */
const Violation = Type.Object({ row: Type.String(), problem: Type.String() })
export type Violation = Static<typeof Violation>

/** What was found of one invariant. */
const Finding = Type.Object({
  invariant: Type.String(),
  rows: Type.Integer(), // checked
  count: Type.Integer(), // of violations
  violations: Type.Array(Violation), // 50 at most
})
export type Finding = Static<typeof Finding>

/** One finding for each invariant that was checked. */
export const Findings = Type.Array(Finding)

/** Checks the invariants of a service's own books (behaviour 9.7.1). */
export const reconcileOf = (service: string) =>
  operation(`${service}.books.audit`, { request: Type.Object({}), reply: Findings })

export type Invariant<Input = void> = {
  invariant: string // what must hold, as a sentence
  table: string // its rows are counted
  /** Selects two columns, `row` and `problem`, for each row that violates the invariant. */
  violations(sql: Transaction, input: Input): Fragment
}

/** Returns a handler that checks all invariants in one snapshot. */
export const reconciler = (sql: Database, invariants: Invariant[]) => () =>
  inSnapshot(sql, async sql => {
    const findings: Finding[] = []
    for (const each of invariants) {
      const [{ rows }] = await sql<[{ rows: number }]>`
        select count(*) as rows
        from ${sql(each.table)}
      `
      findings.push(await check(sql, each, rows, undefined))
    }
    return findings
  })

/** Finds what violates an invariant. The order makes two runs find the same rows first. */
export async function check<Input>(
  sql: Transaction,
  { invariant, violations }: Invariant<Input>,
  rows: number,
  input: Input,
): Promise<Finding> {
  const found = await sql<(Violation & { count: number })[]>`
    select "row", problem, count(*) over () as count
    from (${violations(sql, input)}) as found ("row", problem)
    order by "row", problem
    limit ${VIOLATIONS_MAX}
  `
  const sentences = found.map(({ row, problem }) => ({ row, problem }))
  return { invariant, rows, count: found[0]?.count ?? 0, violations: sentences }
}

/** Adds up the findings of the same invariant in several parts of the books. */
export function mergeFindings(findings: Finding[]): Finding[] {
  const byInvariant = Map.groupBy(findings, ({ invariant }) => invariant)
  return [...byInvariant].map(([invariant, parts]) => ({
    invariant,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    violations: parts.flatMap(({ violations }) => violations).slice(0, VIOLATIONS_MAX),
  }))
}

/**
 * Runs `read` in one read-only snapshot, with up to ten minutes for each statement. Plans are made
 * for whole tables, whatever the pool prefers for its own statements.
 */
export const inSnapshot = <Result>(sql: Database, read: (sql: Transaction) => Promise<Result>) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    await sql`
      select
        set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true),
        set_config('enable_seqscan', 'on', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)
    `
    return read(sql)
  }) as Promise<Result>

import type postgres from "postgres"

export type Database = postgres.Sql<{ bigint: number; timestamptz: string; date: string }>
export type Transaction = postgres.TransactionSql<{
  bigint: number
  timestamptz: string
  date: string
}>
/** A piece of SQL to embed in a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export type Work = (sql: Transaction) => any // any: whatever a transaction returns

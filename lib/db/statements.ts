import type { Database, Transaction } from "./database"

/** A query of postgres.js, as far as we look into it. */
export type Query = {
  handler: Handler // what takes it to its pool, or to the connection of its transaction
  statement: { string: string } | null // once it is sent
  executed: boolean
  handle(): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}
export type Handler = (query: Query) => unknown

/** Hears that a statement is to be sent, and answers who hears of its end. */
type Listener = (query: Query) => ((error: unknown) => void) | undefined

const listeners = new Set<Listener>()

/**
 * Tells of each statement of every pool from now on, each listener once. The driver has no hook for
 * that, so the one method through which a query begins is wrapped, for all pools at once. Costs
 * nothing unasked.
 */
export function onStatements(sql: Database, listener: Listener) {
  if (listeners.size === 0) watch(Object.getPrototypeOf(unsent(sql)))
  listeners.add(listener)
}

/** What all queries of a transaction have in common, or of a pool those outside of any. */
export const handlerOf = (sql: Database | Transaction): Handler => unsent(sql).handler

const unsent = (sql: Database | Transaction) => sql`select 1` as unknown as Query

function watch(prototype: Query) {
  const { handle } = prototype
  prototype.handle = function () {
    if (!this.executed) follow(this)
    return handle.call(this)
  }
}

function follow(query: Query) {
  const ends = Array.from(listeners, listener => listener(query))
  const { resolve, reject } = query
  let isOver = false
  const end = (error?: unknown) => {
    if (!isOver) for (const hear of ends) hear?.(error)
    isOver = true
  }
  query.resolve = result => {
    end()
    resolve(result)
  }
  query.reject = error => {
    end(error)
    reject(error)
  }
}

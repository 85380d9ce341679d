import type { Database, Transaction } from "./database"

/** The internals of a postgres.js query that we use. */
export type Query = {
  handler: Handler // passes it to its pool, or to the connection of its transaction
  statement: { string: string } | null // null until it is sent
  executed: boolean
  handle(): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}
export type Handler = (query: Query) => unknown

/** Called before a statement is sent. May return a function to call at its end. */
type Listener = (query: Query) => ((error: unknown) => void) | undefined

const listeners = new Set<Listener>()

/**
 * Calls `listener` for each later statement of every pool. A listener added twice is called once.
 * The driver has no hook for this, so the method that starts a query is wrapped, for all pools at
 * once. Without listeners there is no overhead.
 */
export function onStatements(sql: Database, listener: Listener) {
  if (listeners.size === 0) watch(Object.getPrototypeOf(unsent(sql)))
  listeners.add(listener)
}

/** The handler shared by all queries of a transaction, or by those of a pool outside of any. */
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
    if (!isOver) for (const onEnd of ends) onEnd?.(error)
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

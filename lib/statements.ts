import type { Database } from "./db"

/** A query of postgres.js, as far as it is looked into here. */
export type Statement = {
  handler: object // what takes it to its pool, or to the connection of its transaction
  statement: { string: string } | null // once it is sent
}
type Query = Statement & {
  executed: boolean
  handle(): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}
/** Hears that a statement is to be sent, and answers who hears of its end. */
type Listener = (statement: Statement) => ((error: unknown) => void) | undefined

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

/** What all statements of a pool have in common, those within transactions aside. */
export const handlerOf = (sql: Database): object => unsent(sql).handler

const unsent = (sql: Database) => sql`select 1` as unknown as Statement // nobody waits for it

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

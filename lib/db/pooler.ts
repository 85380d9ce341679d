import type { Database, Transaction, Work } from "./database"
import { type Handler, handlerOf, type Query } from "./statements"

/**
 * Adapts a pool to a pooler such as PgBouncer, which may change the server connection after each
 * transaction. Every transaction begins with `settings`, and a single statement gets a transaction
 * of its own. Without the settings it would run as the URL's user, without a schema.
 */
export function throughPooler(sql: Database, settings: Record<string, string>): Database {
  const begin = (options: string, work: Work) =>
    sql.begin(options, async tx => {
      applySettings(tx, settings)
      return work(tx)
    })

  /** Runs a query in its own transaction. Its result is delivered after the commit. */
  const inOwnTransaction: Handler = query => {
    const { resolve, reject } = query
    begin("", async tx => {
      const { promise, ...settle } = Promise.withResolvers()
      Object.assign(query, settle)
      await null // the driver sends a query one turn after execute(): the settings go first
      handlerOf(tx)(query)
      return promise
    }).then(resolve, reject)
  }
  const wrap = <Value>(value: Value): Value =>
    isQuery(value) ? Object.assign(value, { handler: inOwnTransaction }) : value

  const pooled = (...args: Parameters<Database>) => wrap(sql(...args))
  const unsafe = (...args: Parameters<Database["unsafe"]>) => wrap(sql.unsafe(...args))
  return Object.assign(pooled, sql, {
    unsafe,
    begin: (...args: [work: Work] | [options: string, work: Work]) =>
      args.length === 2 ? begin(...args) : begin("", args[0]),
  }) as unknown as Database
}

/** `set local` takes no snapshot, so the transaction can still lock tables before its own. */
function applySettings(tx: Transaction, settings: Record<string, string>) {
  const statements = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = '${value.replaceAll("'", "''")}'`,
  )
  tx.unsafe(statements.join("; ")).execute() // if it fails, so do the later statements
}

const isQuery = (value: unknown): value is Query => value instanceof Promise

import type { Database, Transaction, Work } from "./database"
import { type Handler, handlerOf, type Query } from "./statements"

/**
 * A pool whose server connections may be another one's after each transaction, as PgBouncer hands
 * them out: it begins every transaction with its settings, and a statement outside of any has one
 * of its own. Without them a statement would run as whoever the URL names, in no schema.
 */
export function throughPooler(sql: Database, settings: Record<string, string>): Database {
  const begin = (options: string, work: Work) =>
    sql.begin(options, async tx => {
      set(tx, settings)
      return work(tx)
    })

  /** Its caller hears of the result when that is committed. */
  const inOwnTransaction: Handler = query => {
    const { resolve, reject } = query
    begin("", async tx => {
      const { promise, ...settle } = Promise.withResolvers()
      Object.assign(query, settle)
      await null // the driver sends what is executed a turn later: the settings shall go first
      handlerOf(tx)(query)
      return promise
    }).then(resolve, reject)
  }
  const moved = <Made>(made: Made): Made =>
    isQuery(made) ? Object.assign(made, { handler: inOwnTransaction }) : made

  const pooled = (...args: Parameters<Database>) => moved(sql(...args))
  const unsafe = (...args: Parameters<Database["unsafe"]>) => moved(sql.unsafe(...args))
  return Object.assign(pooled, sql, {
    unsafe,
    begin: (...args: [work: Work] | [options: string, work: Work]) =>
      args.length === 2 ? begin(...args) : begin("", args[0]),
  }) as unknown as Database
}

/** `set` looks at no table, so a transaction may still lock before it takes its snapshot. */
function set(tx: Transaction, settings: Record<string, string>) {
  const statements = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = '${value.replaceAll("'", "''")}'`,
  )
  tx.unsafe(statements.join("; ")).execute() // where it fails, so does what follows
}

const isQuery = (made: unknown): made is Query => made instanceof Promise

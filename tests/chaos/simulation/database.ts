import type { Database, Transaction } from "../../../lib/db/database"
import { database } from "../../../lib/db/pool"
import { searchPathOf } from "./clocks"
import { rewrite } from "./mutations"
import { currentTask, schedule, type Task } from "./schedule"
import { noteRelease, trackStatement } from "./statements"

type Sql = Database | Transaction
type Connection = {
  sql: Database
  pid: number
  openedMs: number
  holder: Task | null // whose transaction is open on it
  isBusy: boolean
  isLost: boolean
}
type Work = (sql: Sql) => Promise<unknown>

const LIFETIME_MS = 20 * 60_000 // the driver itself reconnects after 30 minutes, with another pid

/**
 * Creates the pool of a service whose statements wait for their turn and may fail, before they take
 * effect or after. A dead task's transaction is rolled back. Queries that belong to no task, such
 * as those that set the scene or reconcile, run at once.
 */
export function simulatedDatabase(schema: string): Database {
  const settings = { search_path: searchPathOf(schema) }
  const pool = database(schema, { settings })
  const idle: Connection[] = []

  async function connect(): Promise<Connection> {
    const known = idle.pop()
    if (known && Date.now() - known.openedMs < LIFETIME_MS) return known
    await known?.sql.end()

    const sql = database(schema, { connections: 1, settings })
    await sql`set statement_timeout = 0` // a slow machine must not change a history
    await sql`set idle_in_transaction_session_timeout = 0`
    const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    return { sql, pid, openedMs: Date.now(), holder: null, isBusy: false, isLost: false }
  }

  /** Rolls back and returns the connection to the pool. */
  async function release(on: Connection) {
    await on.sql.unsafe("rollback")
    noteRelease(on.pid)
    on.holder = null
    on.isLost = false
    idle.push(on)
  }

  /** Runs a statement in its turn, on its transaction's connection or on any (`from` is null). */
  function runInTurn(
    task: Task,
    name: string,
    from: Connection | null,
    isEnd: boolean,
    work: Work,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<any>()
    const take = async () => {
      const on = from ?? (await connect())
      const fault = isEnd && from ? "none" : drawFault(task)
      trackStatement(on.pid, async cancellation => {
        try {
          resolve(await perform(task, on, fault, isEnd, work))
        } catch (error) {
          const { isDeadlock, canRetry } = cancellation() ?? {}
          if (isDeadlock) return reject(failure("40P01"))
          if (!canRetry) return reject(error)
          if (from && task.isAlive) await on.sql.unsafe("rollback to savepoint turn")
          schedule.turn(task, name, take, { canRetry })
        }
      })
    }
    schedule.turn(task, name, take)
    return promise
  }

  /** Runs a statement. If the connection is lost, before or after it, the server rolls back. */
  async function perform(
    task: Task,
    on: Connection,
    fault: StatementFault,
    isEnd: boolean,
    work: Work,
  ) {
    on.isBusy = true
    try {
      on.isLost ||= fault === "fails"
      if (on.isLost) throw failure("CONNECTION_CLOSED")
      if (!isEnd) await on.sql.unsafe("savepoint turn")
      const result = await work(on.sql)
      on.isLost = fault === "reply lost"
      if (on.isLost) throw failure("CONNECTION_CLOSED")
      return result
    } finally {
      on.isBusy = false
      if (isEnd || !task.isAlive) await release(on)
    }
  }

  async function begin(...args: unknown[]) {
    const task = currentTask()
    if (!task) return (pool.begin as (...args: unknown[]) => Promise<unknown>)(...args)

    const on = await openTransaction(task)
    try {
      const work = args.at(-1) as (sql: Sql) => Promise<unknown>
      const result = await work(simulate(on.sql as unknown as Transaction, on))
      await runInTurn(task, "commit", on, false, sql => (sql as Database).unsafe("commit"))
      return result
    } finally {
      await runInTurn(task, "release", on, true, async () => {}).catch(() => {})
    }
  }

  /** Begins a transaction. Its connection is released when the task dies. */
  function openTransaction(task: Task): Promise<Connection> {
    const { promise, resolve } = Promise.withResolvers<Connection>()
    schedule.turn(task, "begin", async () => {
      const on = await connect()
      await on.sql.unsafe("begin")
      on.holder = task
      task.onDeath.add(async () => {
        if (on.holder === task && !on.isBusy) await release(on) // perform() releases a busy one
      })
      resolve(on)
    })
    return promise
  }

  /** Wraps the driver: a query runs when its turn comes, and as the mutation rewrites it. */
  function simulate<Real extends Sql>(real: Real, on: Connection | null): Real {
    return new Proxy(real, {
      apply(_target, _this, [first, ...rest]) {
        if (!Array.isArray(first?.raw)) return (real as any)(first, ...rest) // names or values
        const text = rewrite(first)
        const query = (real as any)(text, ...rest)
        const task = currentTask()
        if (!task) return query
        const name = text.join("?").trim().split(/\s+/).slice(0, 6).join(" ")
        return runWhenAwaited(query, () =>
          runInTurn(task, name, on, on === null, sql => (sql as any)(text, ...rest)),
        )
      },
      get: (target, name) => (name === "begin" ? begin : Reflect.get(target, name)),
    })
  }

  return simulate(pool, null)
}

/** Makes a query run only when it is awaited, because it may be a fragment of another one. */
function runWhenAwaited(query: any, run: () => Promise<unknown>) {
  let result: Promise<unknown> | undefined
  const start = () => {
    result ??= run()
    return result
  }
  for (const name of ["then", "catch", "finally"] as const) {
    query[name] = (...handlers: []) => (start() as any)[name](...handlers)
  }
  return query
}

/** "reply lost": the statement took effect, but its connection broke before the reply. */
type StatementFault = "none" | "fails" | "reply lost"

function drawFault(task: Task): StatementFault {
  if (!schedule.happens("failure")) return "none"
  const fault = schedule.happens("replyLost") ? "reply lost" : "fails"
  schedule.note(task, fault)
  return fault
}

const failure = (code: string) => Object.assign(new Error(`Simulated failure: ${code}`), { code })

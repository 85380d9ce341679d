import type { Database, Transaction } from "../../../lib/db/database"
import { database } from "../../../lib/db/pool"
import { rewritten } from "./mutations"
import { follow, noteRelease } from "./running"
import { currentTask, schedule, type Task } from "./schedule"

type Sql = Database | Transaction
type Connection = {
  sql: Database
  pid: number
  opened_ms: number
  holder: Task | null // whose transaction is open on it
  isBusy: boolean
  isLost: boolean
}
type Statement = (sql: Sql) => Promise<unknown>

const LIFETIME_MS = 20 * 60_000 // the driver itself reconnects after 30 minutes, with another pid

/**
 * The pool of a service whose statements wait for their turn, and may fail, before they take
 * effect or after. A dead task's transaction is rolled back. Queries that belong to no task (the
 * scene is set, the books are read) go straight through.
 */
export function simulated(schema: string): Database {
  const pool = database(schema)
  const idle: Connection[] = []

  async function connect(): Promise<Connection> {
    const known = idle.pop()
    if (known && Date.now() - known.opened_ms < LIFETIME_MS) return known
    await known?.sql.end()

    const sql = database(schema, { connections: 1 })
    await sql`set statement_timeout = 0` // a slow machine must not change a history
    await sql`set idle_in_transaction_session_timeout = 0`
    const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    return { sql, pid, opened_ms: Date.now(), holder: null, isBusy: false, isLost: false }
  }

  async function letGo(on: Connection) {
    await on.sql.unsafe("rollback")
    noteRelease(on.pid)
    on.holder = null
    on.isLost = false
    idle.push(on)
  }

  /** Does a statement on its transaction's connection, or on any. Hears of the end if it lives. */
  function ask(task: Task, name: string, from: Connection | null, isEnd: boolean, of: Statement) {
    const { promise, resolve, reject } = Promise.withResolvers<any>()
    const take = async () => {
      const on = from ?? (await connect())
      const fate = isEnd && from ? "done" : fateOf(task)
      follow(on.pid, async verdict => {
        try {
          resolve(await perform(task, on, fate, isEnd, of))
        } catch (error) {
          const { isDeadlock, isWorthATry } = verdict() ?? {}
          if (isDeadlock) return reject(failure("40P01"))
          if (!isWorthATry) return reject(error)
          if (from && task.isAlive) await on.sql.unsafe("rollback to savepoint turn")
          schedule.turn(task, name, take, { isWorthATry })
        }
      })
    }
    schedule.turn(task, name, take)
    return promise
  }

  /** Where the connection is lost, before the statement or after it, the server rolls back. */
  async function perform(
    task: Task,
    on: Connection,
    fate: Fate,
    isEnd: boolean,
    statement: Statement,
  ) {
    on.isBusy = true
    try {
      on.isLost ||= fate === "fails"
      if (on.isLost) throw failure("CONNECTION_CLOSED")
      if (!isEnd) await on.sql.unsafe("savepoint turn")
      const result = await statement(on.sql)
      on.isLost = fate === "fails unheard"
      if (on.isLost) throw failure("CONNECTION_CLOSED")
      return result
    } finally {
      on.isBusy = false
      if (isEnd || !task.isAlive) await letGo(on)
    }
  }

  async function begin(...args: unknown[]) {
    const task = currentTask()
    if (!task) return (pool.begin as (...args: unknown[]) => Promise<unknown>)(...args)

    const on = await open(task)
    try {
      const work = args.at(-1) as (sql: Sql) => Promise<unknown>
      const result = await work(front(on.sql as unknown as Transaction, on))
      await ask(task, "commit", on, false, sql => (sql as Database).unsafe("commit"))
      return result
    } finally {
      await ask(task, "let go", on, true, async () => {}).catch(() => {})
    }
  }

  /** Begins a transaction, whose connection is let go of when the task dies, whenever that is. */
  function open(task: Task): Promise<Connection> {
    const { promise, resolve } = Promise.withResolvers<Connection>()
    schedule.turn(task, "begin", async () => {
      const on = await connect()
      await on.sql.unsafe("begin")
      on.holder = task
      task.onDeath.add(async () => {
        if (on.holder === task && !on.isBusy) await letGo(on) // busy: it is let go of at the end
      })
      resolve(on)
    })
    return promise
  }

  /** The driver, except that a query runs when its turn comes, and may be another than written. */
  function front<Front extends Sql>(real: Front, on: Connection | null): Front {
    return new Proxy(real, {
      apply(_target, _this, [first, ...rest]) {
        if (!Array.isArray(first?.raw)) return (real as any)(first, ...rest) // names or values
        const text = rewritten(first)
        const query = (real as any)(text, ...rest)
        const task = currentTask()
        if (!task) return query
        const name = text.join("?").trim().split(/\s+/).slice(0, 6).join(" ")
        return lazy(query, () =>
          ask(task, name, on, on === null, sql => (sql as any)(text, ...rest)),
        )
      },
      get: (target, name) => (name === "begin" ? begin : Reflect.get(target, name)),
    })
  }

  return front(pool, null)
}

/** A query can be part of another; only one that is waited for is asked for. */
function lazy(query: any, run: () => Promise<unknown>) {
  let asked: Promise<unknown> | undefined
  const start = () => {
    asked ??= run()
    return asked
  }
  for (const name of ["then", "catch", "finally"] as const) {
    query[name] = (...handlers: []) => (start() as any)[name](...handlers)
  }
  return query
}

type Fate = "done" | "fails" | "fails unheard"

function fateOf(task: Task): Fate {
  if (!schedule.happens("failure")) return "done"
  const fate = schedule.happens("unheard") ? "fails unheard" : "fails"
  schedule.note(task, fate)
  return fate
}

const failure = (code: string) => Object.assign(new Error(`It fails: ${code}`), { code })

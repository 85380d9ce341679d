import { Gauge } from "prom-client"
import { config } from "../config"
import { timings } from "../metrics"
import type { Database, Work } from "./database"
import { handlerOf, onStatements, type Query } from "./statements"

type WatchedPool = { name: string; connections: number; busy: number }
/** any: whatever a transaction returns */
type BeginTransaction = (options: string, work: Work) => Promise<any>

const pools = new Map<object, WatchedPool>()

const observeWait = timings(
  "tributary_database_wait_seconds",
  "Time until a transaction begins, mostly the wait for a connection.",
  ["pool"],
)
new Gauge({
  name: "tributary_database_busy",
  help: "Transactions in progress, and single queries in progress or waiting.",
  labelNames: ["pool"],
  collect() {
    for (const pool of pools.values()) this.set({ pool: pool.name }, pool.busy)
  },
})
new Gauge({
  name: "tributary_database_connections",
  help: "The most connections a pool may open.",
  labelNames: ["pool"],
  collect() {
    for (const pool of pools.values()) this.set({ pool: pool.name }, pool.connections)
  },
})

/**
 * Counts the work of a pool, if metrics are served. Returns the function that begins its
 * transactions.
 */
export function watchPool(name: string, sql: Database): BeginTransaction {
  const begin: BeginTransaction = sql.begin
  if (config.metrics_port === null) return begin

  const pool = { name, connections: sql.options.max, busy: 0 }
  onStatements(sql, countStatement)
  pools.set(handlerOf(sql), pool)

  return async (options, work) => {
    const began = performance.now()
    let release: (() => void) | undefined
    try {
      return await begin(options, sql => {
        observeWait(began, { pool: name })
        release = markBusy(pool)
        return work(sql)
      })
    } finally {
      release?.()
    }
  }
}

/** A statement in a transaction has no pool here: its transaction is counted already. */
const countStatement = ({ handler }: Query) => markBusy(pools.get(handler))

function markBusy(pool: WatchedPool | undefined) {
  if (!pool) return
  pool.busy++
  return () => {
    pool.busy--
  }
}

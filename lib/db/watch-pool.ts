import { Gauge } from "prom-client"
import { config } from "../config"
import { timings } from "../metrics"
import type { Database, Work } from "./database"
import { handlerOf, onStatements, type Query } from "./statements"

type WatchedPool = { name: string; connections: number; busy: number }
/** any: whatever a transaction answers */
type BeginTransaction = (options: string, work: Work) => Promise<any>

const pools = new Map<object, WatchedPool>()

const tookWait = timings(
  "tributary_database_wait_seconds",
  "From the wish for a transaction to its begin: above all the wait for a connection.",
  ["pool"],
)
new Gauge({
  name: "tributary_database_busy",
  help: "Transactions under way, and queries outside of any, those too that still wait.",
  labelNames: ["pool"],
  collect() {
    for (const pool of pools.values()) this.set({ pool: pool.name }, pool.busy)
  },
})
new Gauge({
  name: "tributary_database_connections",
  help: "How many connections a pool has at most.",
  labelNames: ["pool"],
  collect() {
    for (const pool of pools.values()) this.set({ pool: pool.name }, pool.connections)
  },
})

/**
 * Counts what a pool has to do, where somebody reads the numbers. Returns what begins its
 * transactions.
 */
export function watchPool(name: string, sql: Database): BeginTransaction {
  const begin: BeginTransaction = sql.begin
  if (config.metrics_port === null) return begin

  const pool = { name, connections: sql.options.max, busy: 0 }
  onStatements(sql, holdItsPool)
  pools.set(handlerOf(sql), pool)

  return async (options, work) => {
    const began = performance.now()
    let letGo: (() => void) | undefined
    try {
      return await begin(options, sql => {
        tookWait(began, { pool: name })
        letGo = hold(pool)
        return work(sql)
      })
    } finally {
      letGo?.()
    }
  }
}

/** Of a statement in a transaction there is no pool: the transaction has been counted. */
const holdItsPool = ({ handler }: Query) => hold(pools.get(handler))

function hold(pool: WatchedPool | undefined) {
  if (!pool) return
  pool.busy++
  return () => {
    pool.busy--
  }
}

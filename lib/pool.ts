import { Gauge } from "prom-client"
import { config } from "./config"
import type { Database, Work } from "./db"
import { timings } from "./metrics"
import { handlerOf, onStatements } from "./statements"

type Pool = { name: string; connections: number; busy: number }
type Begin = (options: string, work: Work) => Promise<any> // any: whatever a transaction answers

const pools = new Map<object, Pool>()

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
export function watchPool(name: string, sql: Database): Begin {
  const begin: Begin = sql.begin
  if (config.metrics_port === null) return begin

  const pool = { name, connections: sql.options.max, busy: 0 }
  if (pools.size === 0) onStatements(sql, ({ handler }) => hold(pools.get(handler)))
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
function hold(pool: Pool | undefined) {
  if (!pool) return
  pool.busy++
  return () => {
    pool.busy--
  }
}

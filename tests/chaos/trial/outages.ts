import { PART_NAMES } from "../../../deploy/part"
import type { Fault } from "./fault"
import { KINDS } from "./journal"
import type { System } from "./system"
import { isAlive, pidsOf, signal, waitUntil } from "./victims"

const READY_MS = 3_000 // time for a replacement to start before the next restart
const HOLD_MS = 6_000
const RECOVERY_MAX_SECONDS = 2
const POOL_RECOVERY_MAX_SECONDS = 3

const common = { holdMs: HOLD_MS, recoveryMaxSeconds: RECOVERY_MAX_SECONDS, unaffected: [] }

/** Restarts by an operator, exhausted pools, and cut or slow connections. */
export const outages: Fault[] = [
  {
    ...common,
    name: "SIGTERM rolling restart",
    stage: "machine",
    holdMs: 0,
    unaffected: KINDS,
    inject: rollingRestart,
  },
  ...(["tracking.affiliate_sale_events", "commissions.commissions"] as const).map(
    (table): Fault => ({
      ...common,
      name: `pool of ${table.split(".")[0]} exhausted`,
      stage: "machine",
      recoveryMaxSeconds: POOL_RECOVERY_MAX_SECONDS,
      unaffected: ["click"],
      inject: ({ sql }) => lockTable(sql, table),
    }),
  ),
  ...(["nats", "postgres"] as const).flatMap((server): Fault[] => [
    {
      ...common,
      name: `connections to ${server} cut`,
      stage: "network",
      async inject({ proxies }) {
        proxies![server].cut()
        return () => proxies![server].restore().then(Date.now)
      },
    },
    ...[200, 2_000].map(
      (delayMs): Fault => ({
        ...common,
        name: `connections to ${server} delayed by ${delayMs} ms`,
        stage: "network",
        async inject({ proxies }) {
          proxies![server].delay(delayMs)
          return async () => {
            proxies![server].delay(0)
            return Date.now() + delayMs // delayed data arrives until then
          }
        },
      }),
    ),
  ]),
]

/** Restarts one process after the other, each after the one before has been replaced. */
async function rollingRestart(system: System) {
  for (const part of PART_NAMES) {
    for (const pid of pidsOf(system, part)) {
      signal(pid, "SIGTERM")
      await waitUntil(() => !isAlive(pid))
      await waitUntil(() => pidsOf(system, part).length === 2)
      await Bun.sleep(READY_MS)
    }
  }
  return async () => Date.now()
}

/** Locks a table, so that every statement on it waits until the pool has no connections left. */
async function lockTable(sql: System["sql"], table: string) {
  const [locked, lifted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async sql => {
    await sql.unsafe(`lock table ${table} in access exclusive mode`)
    locked.resolve()
    await lifted.promise
  })
  holding.catch(locked.reject)
  await locked.promise

  return async () => {
    lifted.resolve()
    await holding
    return Date.now()
  }
}

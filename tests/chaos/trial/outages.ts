import { PART_NAMES } from "../../../deploy/part"
import type { Fault } from "./fault"
import { KINDS } from "./journal"
import type { System } from "./system"
import { isAlive, momentOf, pidsOf, signal } from "./victims"

const READY_MS = 3_000 // what a replacement may take before the next one is restarted
const HOLD_MS = 6_000
const RECOVERY_S_MAX = 2
const POOL_RECOVERY_S_MAX = 3

const usual = { hold_ms: HOLD_MS, recovery_s_max: RECOVERY_S_MAX, unharmed: [] }

/** What an operator does, and what happens to wires and pools. */
export const outages: Fault[] = [
  {
    ...usual,
    name: "SIGTERM rolling restart",
    stage: "machine",
    hold_ms: 0,
    unharmed: KINDS,
    strike: rollingRestart,
  },
  ...(["tracking.affiliate_sale_events", "commissions.commissions"] as const).map(
    (table): Fault => ({
      ...usual,
      name: `pool of ${table.split(".")[0]} exhausted`,
      stage: "machine",
      recovery_s_max: POOL_RECOVERY_S_MAX,
      unharmed: ["click"],
      strike: ({ sql }) => holdTable(sql, table),
    }),
  ),
  ...(["nats", "postgres"] as const).flatMap((server): Fault[] => [
    {
      ...usual,
      name: `connections to ${server} cut`,
      stage: "network",
      async strike({ proxies }) {
        proxies![server].cut()
        return () => proxies![server].mend().then(Date.now)
      },
    },
    ...[200, 2_000].map(
      (delay_ms): Fault => ({
        ...usual,
        name: `connections to ${server} delayed by ${delay_ms} ms`,
        stage: "network",
        async strike({ proxies }) {
          proxies![server].delay(delay_ms)
          return async () => {
            proxies![server].delay(0)
            return Date.now() + delay_ms // what is on its way arrives until then
          }
        },
      }),
    ),
  ]),
]

/** One process after the other, the next when the last has its successor. */
async function rollingRestart(system: System) {
  for (const part of PART_NAMES) {
    for (const pid of pidsOf(system, part)) {
      signal(pid, "SIGTERM")
      await momentOf(() => !isAlive(pid))
      await momentOf(() => pidsOf(system, part).length === 2)
      await Bun.sleep(READY_MS)
    }
  }
  return async () => Date.now()
}

/** Whoever needs the table waits, connection after connection, until the pool has none left. */
async function holdTable(sql: System["sql"], table: string) {
  const [held, lifted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async sql => {
    await sql.unsafe(`lock table ${table} in access exclusive mode`)
    held.resolve()
    await lifted.promise
  })
  holding.catch(held.reject)
  await held.promise

  return async () => {
    lifted.resolve()
    await holding
    return Date.now()
  }
}

import { plugin } from "bun"
import postgres from "postgres"
import { installClocks } from "./clocks"
import { simulatedDatabase } from "./database"
import { simulateBatches, simulateNetwork } from "./network"
import { observeLocks } from "./statements"
import { simulateTime } from "./time"

const DATABASE_MODULES = /services\/(?:tracking|commissions)\/db\.ts$/

/**
 * Starts the real handlers with a simulated database, network and clock. A plugin replaces the
 * database module that they import, so production code does not know about the simulation.
 */
export async function makeWorld(url: string) {
  plugin({
    name: "the services' databases are simulated",
    setup({ onLoad }) {
      onLoad({ filter: DATABASE_MODULES }, ({ path }) => {
        const sql = simulatedDatabase(path.split("/").at(-2) as string)
        const exports = { sql, clicks_sql: sql, batches_sql: sql, sales_sql: sql }
        return { exports, loader: "object" }
      })
    },
  })
  observeLocks(url)
  simulateTime()
  simulateNetwork()
  simulateBatches()

  const { startHandlers } = await import("./handlers")
  await startHandlers()
  const superuser = postgres(url, { max: 1 })
  await installClocks(superuser)
  await superuser.end()
  const { playSeed } = await import("./simulation")
  return playSeed
}

import { plugin } from "bun"
import { simulated } from "./database"
import { simulateBatches, simulateNetwork } from "./network"
import { observeBy } from "./running"
import { simulateTime } from "./time"

const DATABASES = /services\/(?:tracking|commissions)\/db\.ts$/

/**
 * Puts the real handlers into a world in which nothing can be relied upon. What they import as
 * their database is ours: so production code knows nothing of all this.
 */
export async function makeWorld(url: string) {
  plugin({
    name: "the services' databases are simulated",
    setup({ onLoad }) {
      onLoad({ filter: DATABASES }, ({ path }) => {
        const sql = simulated(path.split("/").at(-2) as string)
        const exports = { sql, clicks_sql: sql, batches_sql: sql, sales_sql: sql }
        return { exports, loader: "object" }
      })
    },
  })
  observeBy(url)
  simulateTime()
  simulateNetwork()
  simulateBatches()

  const { startHandlers } = await import("./handlers")
  await startHandlers()
  const { playSeed } = await import("./simulation")
  return playSeed
}

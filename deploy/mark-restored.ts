import { findDatabase } from "./live-database"
import { SERVICE_NAMES } from "./part"

/**
 * Gives the schemas of all services a new epoch, after a restore that Tributary cannot recognize:
 * of single tables, or of a copy of the server's folder. All feeds are then read again.
 */
await findDatabase(SERVICE_NAMES)
const { ownerDatabase } = await import("../lib/db/pool")
const { renewEpoch } = await import("../lib/db/lineage")

for (const name of SERVICE_NAMES) {
  const sql = ownerDatabase(name)
  await renewEpoch(sql)
  await sql.end()
}
console.log("The feeds of all services will be read again.")

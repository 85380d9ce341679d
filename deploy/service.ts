import { join } from "node:path"
import { migrate } from "../lib/db/migrate"
import { applyTransactionScope } from "../services/tracking/sales/transaction-scope"
import { describeError, PART_NAMES, type Part, runPart, SERVICE_NAMES } from "./part"

/** Entry point of the image. SERVICE names a part, or is `migrate`, which migrates all schemas. */
const { SERVICE = "" } = process.env
try {
  if (SERVICE === "migrate") await migrateAll()
  else if (PART_NAMES.includes(SERVICE as Part)) await runPart(SERVICE as Part)
  else throw new Error(`SERVICE must be one of ${PART_NAMES.join(", ")}, migrate.`)
} catch (error) {
  console.error(describeError(error))
  process.exit(1)
}

async function migrateAll() {
  for (const name of SERVICE_NAMES) {
    await migrate(name, join(import.meta.dir, "../services", name, "migrations"))
    console.log(`The schema ${name} is up to date.`)
  }
  await applyTransactionScope()
}

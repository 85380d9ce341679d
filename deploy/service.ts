import { join } from "node:path"
import { migrate } from "../lib/db/migrate"
import { PART_NAMES, type Part, runPart, SERVICE_NAMES, sentenceOf } from "./part"

/** What the image runs: SERVICE names a part, or `migrate`, which brings all schemas up to date. */
const { SERVICE = "" } = process.env
try {
  if (SERVICE === "migrate") await migrateAll()
  else if (PART_NAMES.includes(SERVICE as Part)) await runPart(SERVICE as Part)
  else throw new Error(`SERVICE must be one of ${PART_NAMES.join(", ")}, migrate.`)
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(1)
}

async function migrateAll() {
  for (const name of SERVICE_NAMES) {
    await migrate(name, join(import.meta.dir, "../services", name, "migrations"))
    console.log(`The schema ${name} is up to date.`)
  }
}

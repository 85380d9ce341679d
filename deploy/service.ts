import { describeError, PART_NAMES, type Part, runPart } from "./part"

/** Entry point of the image. SERVICE names a part, or is `migrate`, which migrates all schemas. */
const { SERVICE = "" } = process.env
try {
  if (SERVICE === "migrate") await migrate()
  else if (PART_NAMES.includes(SERVICE as Part)) await runPart(SERVICE as Part)
  else throw new Error(`SERVICE must be one of ${PART_NAMES.join(", ")}, migrate.`)
} catch (error) {
  console.error(describeError(error))
  process.exit(1)
}

async function migrate() {
  const { migrateAll } = await import("./migrate-all")
  await migrateAll(console.log)
}

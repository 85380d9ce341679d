import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const { env } = process

const LOOK_EVERY_MS = 500
const PATIENCE_MS = 15_000

if (!env.REPORTING_DATABASE_URL) env.DATABASE_URL ||= embeddedUrl()
const { sql } = await import("../services/reporting/db")
const { forgetAll, showProgress } = await import("../services/reporting/rebuild")

await forgetAll()
const is_rebuilt = await follow()
await sql.end()
process.exit(is_rebuilt ? 0 : 1)

/** Waits for the replicas of reporting, which do the work. False if none does. */
async function follow(): Promise<boolean> {
  let waits_until = Date.now() + PATIENCE_MS
  for (let seen = 0; ; ) {
    const { events, unread } = await showProgress()
    if (unread.length === 0) {
      console.log(`The reports are rebuilt: ${events} events.`)
      return true
    }
    if (events > seen) waits_until = Date.now() + PATIENCE_MS
    if (Date.now() > waits_until) {
      console.error(`Nobody reads ${unread.join(", ")}: the reports go on when Tributary runs.`)
      return false
    }
    if (events > seen) console.log(`${events} events so far…`)
    seen = events
    await Bun.sleep(LOOK_EVERY_MS)
  }
}

/** The database that Tributary itself runs on this machine. */
function embeddedUrl(): string {
  const file = join(env.DATA_DIR || join(import.meta.dir, "../.data"), "postgres.json")
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).url
  console.error("Set DATABASE_URL, or DATA_DIR to the folder of a Tributary that runs here.")
  process.exit(1)
}

import { findDatabase } from "./live-database"

const LOOK_EVERY_MS = 500
const PATIENCE_MS = 15_000

findDatabase(["reporting"])
const { sql } = await import("../services/reporting/db")
const { forgetAll, showProgress } = await import("../services/reporting/rebuild")

await forgetAll()
const is_rebuilt = await follow()
await sql.end()
process.exit(is_rebuilt ? 0 : 1)

/** Waits for the replicas of reporting, which do the work. False if none does. */
async function follow(): Promise<boolean> {
  let waits_until = Date.now() + PATIENCE_MS
  for (let seen = 0, place = ""; ; ) {
    const { events, unread } = await showProgress()
    if (unread.length === 0) {
      console.log(`The reports are rebuilt: ${events} events.`)
      return true
    }
    if (JSON.stringify(unread) !== place) waits_until = Date.now() + PATIENCE_MS
    if (Date.now() > waits_until) {
      const feeds = unread.map(({ feed }) => feed).join(", ")
      console.error(`Nobody reads ${feeds}: the reports go on when Tributary runs.`)
      return false
    }
    if (events > seen) console.log(`${events} events so far…`)
    seen = events
    place = JSON.stringify(unread)
    await Bun.sleep(LOOK_EVERY_MS)
  }
}

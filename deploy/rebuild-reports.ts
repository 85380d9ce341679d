import { findDatabase } from "./live-database"

const POLL_MS = 500
const STALL_MS = 15_000 // without progress for so long, no process is reading the feeds

await findDatabase(["reporting"])
const { sql } = await import("../services/reporting/db")
const { clearReadModel, showProgress } = await import("../services/reporting/rebuild")

await clearReadModel()
const isRebuilt = await waitForRebuild()
await sql.end()
process.exit(isRebuilt ? 0 : 1)

/** Waits for the replicas of reporting, which do the work. False: none is running. */
async function waitForRebuild(): Promise<boolean> {
  let deadline = Date.now() + STALL_MS
  for (let printed = 0, position = ""; ; ) {
    const { events, unread } = await showProgress()
    if (unread.length === 0) {
      console.log(`The reports are rebuilt: ${events} events.`)
      return true
    }
    if (JSON.stringify(unread) !== position) deadline = Date.now() + STALL_MS
    if (Date.now() > deadline) {
      const feeds = unread.map(({ feed }) => feed).join(", ")
      console.error(`No process is reading ${feeds}. The rebuild continues once Tributary runs.`)
      return false
    }
    if (events > printed) console.log(`${events} events so far…`)
    printed = events
    position = JSON.stringify(unread)
    await Bun.sleep(POLL_MS)
  }
}

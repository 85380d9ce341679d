import type { ReconciliationResult } from "./books"
import { findDatabase } from "./live-database"

const LOOKS = 3
const LOOK_AGAIN_AFTER_MS = 2_000

/**
 * Checks the books of a system, whether it runs or not. Over NATS it asks the running parts.
 * Without, it answers for them in this process, on the database that they work on.
 */
process.env.LOG_LEVEL ||= "warn"
try {
  if (!process.env.NATS_URL) {
    findDatabase(["tracking", "commissions", "reporting"])
    await (await import("./reconcile-parts")).serveReconciliation()
  }
  const audit = await lastingViolations()
  show(audit)
  process.exit(audit.some(({ broken }) => broken.length > 0) ? 1 : 0)
} catch (error) {
  console.error(error instanceof Error ? `The books could not be read: ${error.message}` : error)
  process.exit(2)
}

/** What is under way may look broken for a moment: only what stays so counts. */
async function lastingViolations(): Promise<ReconciliationResult> {
  const { reconcileAll: auditAll } = await import("./books") // and with it the bus, which looks at NATS_URL
  let audit = await auditAll()
  for (let looks = 1; looks < LOOKS && audit.some(({ broken }) => broken.length > 0); looks++) {
    await Bun.sleep(LOOK_AGAIN_AFTER_MS)
    const before = new Set(audit.flatMap(({ broken }) => broken))
    audit = (await auditAll()).map(({ broken, ...check }) => ({
      ...check,
      broken: broken.filter(sentence => before.has(sentence)),
    }))
  }
  return audit
}

function show(audit: ReconciliationResult) {
  const width = Math.max(...audit.map(({ promise }) => promise.length))
  for (const { promise, rows, broken } of audit) {
    const verdict = broken.length === 0 ? "holds" : `BROKEN by ${broken.length}`
    console.log(`${promise.padEnd(width)}  ${String(rows).padStart(10)} rows  ${verdict}`)
    for (const sentence of broken) console.log(`  ${sentence}`)
  }
}

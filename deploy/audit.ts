import type { ReconciliationResult } from "./books"
import { findDatabase } from "./live-database"

const CHECKS_MAX = 3
const CHECK_AGAIN_AFTER_MS = 2_000

/**
 * Reconciles the books of a system, running or not (behaviour 9.7.1). With NATS_URL, the running
 * parts do the work. Without it, this process does it, on their database.
 */
process.env.LOG_LEVEL ||= "warn"
try {
  if (!process.env.NATS_URL) {
    findDatabase(["tracking", "commissions", "reporting"])
    await (await import("./reconcile-parts")).serveReconciliation()
  }
  const results = await reconcile()
  print(results)
  process.exit(hasViolations(results) ? 1 : 0)
} catch (error) {
  console.error(error instanceof Error ? `The books could not be read: ${error.message}` : error)
  process.exit(2)
}

/** Reports only violations that persist: a request in progress can look like one for a moment. */
async function reconcile(): Promise<ReconciliationResult> {
  const { reconcileAll } = await import("./books") // late: it imports the bus, which reads NATS_URL
  let results = await reconcileAll()
  for (let checks = 1; checks < CHECKS_MAX && hasViolations(results); checks++) {
    await Bun.sleep(CHECK_AGAIN_AFTER_MS)
    const before = new Set(results.flatMap(({ violations }) => violations))
    results = (await reconcileAll()).map(({ violations, ...result }) => ({
      ...result,
      violations: violations.filter(violation => before.has(violation)),
    }))
  }
  return results
}

function hasViolations(results: ReconciliationResult): boolean {
  return results.some(({ violations }) => violations.length > 0)
}

function print(results: ReconciliationResult) {
  const width = Math.max(...results.map(({ invariant }) => invariant.length))
  for (const { invariant, rows, violations } of results) {
    const verdict = violations.length === 0 ? "holds" : `violations: ${violations.length}`
    console.log(`${invariant.padEnd(width)}  ${String(rows).padStart(10)} rows  ${verdict}`)
    for (const violation of violations) console.log(`  ${violation}`)
  }
}

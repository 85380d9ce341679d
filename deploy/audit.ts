import type { Finding, Violation } from "../lib/reconcile"
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
    await findDatabase(["identity", "tracking", "commissions", "reporting", "delivery"])
    await (await import("./books/serve-reconciliation")).serveReconciliation()
  }
  const findings = await reconcile()
  print(findings)
  process.exit(hasViolations(findings) ? 1 : 0)
} catch (error) {
  console.error(error instanceof Error ? `The books could not be read: ${error.message}` : error)
  process.exit(2)
}

/** Reports only rows that keep violating an invariant: a request in progress does for a moment. */
async function reconcile(): Promise<Finding[]> {
  const { reconcileAll } = await import("./books/reconcile-all") // late: the bus reads NATS_URL
  let findings = await reconcileAll()
  for (let checks = 1; checks < CHECKS_MAX && hasViolations(findings); checks++) {
    await Bun.sleep(CHECK_AGAIN_AFTER_MS)
    const before = new Set(findings.flatMap(finding => finding.violations.map(nameIn(finding))))
    findings = (await reconcileAll()).map(finding => {
      const persistent = finding.violations.filter(each => before.has(nameIn(finding)(each)))
      const passing = finding.violations.length - persistent.length
      return { ...finding, count: finding.count - passing, violations: persistent }
    })
  }
  return findings
}

function nameIn({ invariant }: Finding) {
  return ({ row }: Violation) => `${invariant}: ${row}`
}

function hasViolations(findings: Finding[]): boolean {
  return findings.some(({ violations }) => violations.length > 0)
}

/** Prints each invariant with "holds", or how often and where it is violated. */
function print(findings: Finding[]) {
  const width = Math.max(...findings.map(({ invariant }) => invariant.length))
  for (const { invariant, rows, count, violations } of findings) {
    const verdict = count === 0 ? "holds" : `violations: ${count}`
    console.log(`${invariant.padEnd(width)}  ${String(rows).padStart(10)} rows  ${verdict}`)
    for (const { row, problem } of violations) console.log(`  ${row} ${problem}`)
    if (count > violations.length) console.log(`  and ${count - violations.length} more`)
  }
}

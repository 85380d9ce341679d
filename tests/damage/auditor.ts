import { createInterface } from "node:readline"
import { reconcileAll } from "../../deploy/books/reconcile-all"
import { serveReconciliation } from "../../deploy/books/serve-reconciliation"

/** Reconciles the books once for each line of its input, and prints the findings as a line. */
await serveReconciliation()
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await reconcileAll()))
}
process.exit(0)

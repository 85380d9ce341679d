import type postgres from "postgres"
import type { Send } from "../client"
import { isDue } from "../operations/settle"
import type { Report } from "../report"
import type { Program } from "../state"
import type { World } from "../world"
import { compareLedger, compareLists, compareNotices, compareSamples, compareStatus } from "./books"
import { compareEvents } from "./events"
import { managed, readPages } from "./pages"
import { compareReports } from "./reports"

const APPROVAL_TIMEOUT_MS = 60_000
const POLL_MS = 250

type Tools = { send: Send; sql: postgres.Sql; report: Report }

/** Compares all that can be read of a program with the model. Returns whether nothing differs. */
export async function compareAll(program: Program, world: World, { send, sql, report }: Tools) {
  const compare = async (what: string, find: () => Promise<string[]>) => {
    const found = await find().catch(error => [`${error}`])
    if (found.length > 0) report.differIn(program, what, found)
    return found.length === 0
  }
  const results = [
    await compare("the approvals", () => awaitApprovals(program, world, send)),
    await compare("the event list", () => compareEvents(program, send)),
    await compare("the lists", () => compareLists(program, send)),
    await compare("the sales and customers", () => compareSamples(program, send)),
    await compare("the reports", () => compareReports(program, world.now, send)),
    await compare("the notices", () => compareNotices(program, send)),
    await compare("the integration status", () => compareStatus(program, send)),
    await compare("the ledger", () => compareLedger(program, sql)),
  ]
  return results.every(Boolean)
}

/** Waits until the commissions whose hold is over are approved. */
async function awaitApprovals(program: Program, world: World, send: Send): Promise<string[]> {
  const due = program.commissions.filter(commission => isDue(commission, world))
  const deadline = Date.now() + APPROVAL_TIMEOUT_MS
  for (;;) {
    const path = managed(program, "/commissions?status=pending")
    const pending = new Set(
      (await readPages(send, program.owner.session, path)).map(({ id }) => id),
    )
    const remaining = due.filter(({ id }) => pending.has(id))
    if (remaining.length === 0) break
    if (Date.now() > deadline) {
      return remaining.map(
        ({ id, sale }) => `commission ${id} of ${sale.transaction_id} is pending`,
      )
    }
    await Bun.sleep(POLL_MS)
  }
  for (const commission of due) commission.status = "approved"
  return []
}

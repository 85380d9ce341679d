import { call } from "../../lib/bus/bus"
import type { ownedRowsCheckOf, ownedRowsOf } from "../../lib/owned-rows"
import { type Finding, mergeFindings } from "../../lib/reconcile"

export const TIMEOUT_MS = 15 * 60_000 // whole tables are read
const ROWS_PER_MESSAGE = 1_000 // of half a kilobyte at most

type OwnedRow = { id: number }

/** Has a service compare its rows with those of their owner, one range of ids after the other. */
export async function compareOwnedRows(
  list: ReturnType<typeof ownedRowsOf>,
  check: ReturnType<typeof ownedRowsCheckOf>,
): Promise<Finding[]> {
  let findings: Finding[] = []
  for (let after_id = 0; after_id < Number.MAX_SAFE_INTEGER; ) {
    const page = { after_id, limit: ROWS_PER_MESSAGE }
    const rows = (await call(list, page, TIMEOUT_MS)) as OwnedRow[]
    const isLast = rows.length < page.limit
    const through_id = isLast ? Number.MAX_SAFE_INTEGER : rows.at(-1)!.id

    const found = await call(check, { after_id, through_id, rows }, TIMEOUT_MS)
    findings = mergeFindings([...findings, ...found])
    after_id = through_id
  }
  return findings
}

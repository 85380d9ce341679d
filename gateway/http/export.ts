import { call } from "../../lib/bus/bus"
import type { RequestOf } from "../../lib/bus/operation"
import { log } from "../../lib/log"
import { currentContext, withContext } from "../../lib/request-context"
import { retryOnSilence } from "../../lib/retry"
import { recordExport } from "../../services/identity/contract"
import { headOf, linesOf } from "./csv"
import { keepReportSlot, type Slot } from "./report-slots"

type Part<Cursor> = {
  rows: Record<string, unknown>[]
  next: Cursor | null // where the next part begins; null: this is the last
  applied_until: string | null
}

/**
 * Streams an export as CSV (behaviour 7.8). Each part is read when the client has taken the one
 * before, so memory holds few rows. The first part is read before the reply begins, so that a
 * refusal has its status. An export that fails later is cut off and never looks complete. The audit
 * log has each export before its reply begins.
 */
export async function streamCsv<Cursor>(
  request: Request,
  exported: RequestOf<typeof recordExport>,
  columns: string[],
  read: (after: Cursor | null) => Promise<Part<Cursor>>,
): Promise<Response> {
  const first = await read(null)
  const headers = new Headers({
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${nameOf(exported)}.csv"`,
  })
  if (first.applied_until) headers.set("x-applied-until", first.applied_until)
  if (request.method === "HEAD") return new Response(null, { headers })
  await call(recordExport, exported)

  // Later parts are pulled outside the request's context, and may take longer than one answer.
  const context = { ...currentContext(), deadline: Number.MAX_SAFE_INTEGER }
  const readOn = (after: Cursor) => withContext(context, () => retryOnSilence(() => read(after)))
  const slot = keepReportSlot(request)
  const text = textOf(columns, first, readOn, slot) as unknown as ReadableStream // Bun accepts it
  return new Response(text, { headers })
}

const nameOf = (exported: RequestOf<typeof recordExport>): string =>
  `${exported.list}-${exported.program_id ?? exported.workspace_id}`

async function* textOf<Cursor>(
  columns: string[],
  first: Part<Cursor>,
  read: (after: Cursor) => Promise<Part<Cursor>>,
  slot: Slot | undefined,
) {
  try {
    yield headOf(columns)
    for (let part = first; ; part = await read(part.next)) {
      if (part.rows.length > 0) yield linesOf(columns, part.rows)
      if (part.next === null) return
      await slot?.renew()
    }
  } catch (err) {
    log.error({ err }, "An export was cut off.")
    throw err
  } finally {
    await slot?.release()
  }
}

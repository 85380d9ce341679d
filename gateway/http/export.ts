import { log } from "../../lib/log"
import { currentContext, withContext } from "../../lib/request-context"
import { retryOnSilence } from "../../lib/retry"
import { headOf, linesOf } from "./csv"

type Part<Place> = {
  rows: Record<string, unknown>[]
  next: Place | null // where the next part begins; null: nowhere
  applied_until: string | null
}

/**
 * All parts of an export as CSV. A part is asked for when the reader has taken the one before, so
 * that few rows are here at once, however many there are; the first before anything is answered:
 * refusals have their status. An export that fails later is cut off, and never ends as if whole.
 */
export async function exported<Place>(
  request: Request,
  name: string,
  columns: string[],
  ask: (after: Place | null) => Promise<Part<Place>>,
): Promise<Response> {
  const first = await ask(null)
  const headers = new Headers({
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
  })
  if (first.applied_until) headers.set("x-applied-until", first.applied_until)
  if (request.method === "HEAD") return new Response(null, { headers })

  // Whoever pulls the next part knows nothing of the request, and may take longer than an answer.
  const errand = { ...currentContext(), deadline: Number.MAX_SAFE_INTEGER }
  const askOn = (after: Place) => withContext(errand, () => retryOnSilence(() => ask(after)))
  const text = textOf(columns, first, askOn) as unknown as ReadableStream // Bun takes it as one
  return new Response(text, { headers })
}

async function* textOf<Place>(
  columns: string[],
  first: Part<Place>,
  ask: (after: Place) => Promise<Part<Place>>,
) {
  try {
    yield headOf(columns)
    for (let part = first; ; part = await ask(part.next)) {
      if (part.rows.length > 0) yield linesOf(columns, part.rows)
      if (part.next === null) return
    }
  } catch (err) {
    log.error({ err }, "An export was cut off.")
    throw err
  }
}

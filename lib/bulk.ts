import { type Static, Type } from "@sinclair/typebox"
import { asFault } from "./fault"
import { Id } from "./fields"
import { log } from "./log"
import { currentContext } from "./request-context"

const ROWS_MAX = 500
const AT_ONCE = 6 // of the eight connections of a pool: others need some, too
const REPLY_MS = 500 // before the deadline no row is begun any more

/** How long the gateway waits for a bulk step: nearly as long as its caller does. */
export const BULK_TIMEOUT_MS = 4_300

/** The rows that a bulk step is to change. A repeated id counts once. */
export const BulkIds = Type.Array(Id, {
  minItems: 1,
  maxItems: ROWS_MAX,
  description: `a list of 1 to ${ROWS_MAX} ids`,
})

/** What became of each row, in the order of the request. `error`: the reason why not. */
export const BulkRows = Type.Array(
  Type.Object({ id: Id, ok: Type.Boolean(), error: Type.Optional(Type.String()) }),
)
export type BulkRows = Static<typeof BulkRows>

/**
 * Runs `step` for each id, a few at once and each in a transaction of its own, so that a refused row
 * leaves the others done. What is not begun in time says so: the request is safe to repeat.
 */
export async function inBulk(ids: number[], step: (id: number) => Promise<unknown>) {
  const rows: BulkRows = [...new Set(ids)].map(id => ({ id, ok: false, error: NOT_BEGUN }))
  const last_start = currentContext().deadline - REPLY_MS
  const queue = rows.values()

  const work = async () => {
    for (const row of queue) {
      if (Date.now() > last_start) return
      const error = await step(row.id).then(() => null, refusalOf)
      if (error === null) delete row.error
      else row.error = error
      row.ok = error === null
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return rows
}

const NOT_BEGUN = "There was no time left for this one: send it again."

function refusalOf(error: unknown): string {
  const { message, cause } = asFault(error)
  if (cause) log.error({ err: cause }, message)
  return message
}

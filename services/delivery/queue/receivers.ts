import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"

/** An attempt starts at most this long after it was checked that its endpoint wants it. */
export const START_MS_MAX = 200
const CLOCKS_MS = 50 // a timer may end a little early

type ReceivingEndpoint = { id: number; url: string }

/** Tells the queue of a new endpoint, in the transaction that creates it. */
export const createReceiver = (
  sql: Transaction,
  workspace_id: number,
  { id, url }: ReceivingEndpoint,
) => sql`
  insert into receivers (endpoint_id, workspace_id, host)
  values (${id}, ${workspace_id}, ${new URL(url).host})
`

/** Tells the queue of a changed endpoint, in the transaction of the change. */
export const updateReceiver = (sql: Transaction, { id, url }: ReceivingEndpoint) => sql`
  update receivers
  set host = ${new URL(url).host}, is_narrowed = true
  where endpoint_id = ${id}
`

/** Forgets failures, because the endpoint was enabled or has another URL. */
export const forgetFailures = (sql: Transaction, endpoint_id: number) => sql`
  update receivers
  set is_proven = false, failing_since = null, one_at_a_time_until = null
  where endpoint_id = ${endpoint_id}
`

/**
 * Waits, after the transaction that changed an endpoint, until no attempt can start any more that
 * was checked before the change (behaviour 12.2.1). Later attempts see it.
 */
export async function untilNoneStarts(workspace_id: number) {
  const inProgress = await sql`
    select
    from leases
    where workspace_id = ${workspace_id}
    limit 1
  `
  if (inProgress.count > 0) await Bun.sleep(START_MS_MAX + CLOCKS_MS)
}

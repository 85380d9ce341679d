import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { TrackingCall } from "../contract"
import { sql } from "../db"

export const KEPT_CALLS = 200
export const KEPT_DAYS = 7

type Request = RequestOf<typeof contract.listCalls>

export async function listCalls({ program_id, since, status }: Request) {
  const calls = await sql<TrackingCall[]>`
    select at, route, status, error, fields
    from tracking_calls
    where program_id = ${program_id}
      and at >= now() - ${KEPT_DAYS} * interval '1 day'
      ${since === null ? sql`` : sql`and at > ${since}`}
      ${typeof status === "number" ? sql`and status = ${status}` : sql``}
      ${status === "refused" ? sql`and error is not null` : sql``}
    order by at desc, id desc
    limit ${KEPT_CALLS}
  `
  return { calls }
}

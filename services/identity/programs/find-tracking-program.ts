import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

/** Queries the database each time, so that a replaced token is refused from the next request. */
export async function findTrackingProgram({
  token_hash,
  includes_archived = false,
}: RequestOf<typeof contract.findTrackingProgram>) {
  const [program] = await sql<[{ program_id: number }?]>`
    select id as program_id
    from programs
    where token_hash = ${token_hash}
      and version > 0
      and (status <> 'archived' or ${includes_archived})
  `
  if (program) return program
  throw new Fault("unauthorized", "This tracking token does not belong to an active program.")
}

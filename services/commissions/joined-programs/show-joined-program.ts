import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { joinedProgramsWhere } from "./joined-programs"

type Request = RequestOf<typeof contract.showJoinedProgram>

/** A program of other partners looks like one that does not exist. */
export async function showJoinedProgram({ account_id, program_id }: Request) {
  const isOwn = sql`partners.account_id = ${account_id} and partner.program_id = ${program_id}`
  const [joined] = await joinedProgramsWhere(isOwn, { limit: 1, offset: 0 })
  if (!joined) throw new Fault("missing", "Program not found.")
  return joined
}

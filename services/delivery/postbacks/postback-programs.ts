import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { listJoinedPrograms } from "../../commissions/contract"
import { findPrograms } from "../../identity/contract"
import type { PostbackOwner } from "../contract"

export type PostbackProgram = { workspace_id: number; program_id: number }

const PAGE_SIZE = 100

/** The programs that an owner's postbacks can be sent for: a partner's are those that it has joined. */
export async function programsOf(owner: PostbackOwner): Promise<PostbackProgram[]> {
  if (!("account_id" in owner)) {
    const { workspace_id, program_id } = owner
    return [{ workspace_id, program_id }]
  }
  const joined: PostbackProgram[] = []
  for (let isLast = false, offset = 0; !isLast; ) {
    const slice = { offset, limit: PAGE_SIZE }
    const { rows, total } = await call(listJoinedPrograms, { account_id: owner.account_id, slice })
    const program_ids = rows.map(({ program_id }) => program_id)
    const { programs } = await call(findPrograms, { program_ids })
    joined.push(...programs.map(({ id, workspace_id }) => ({ workspace_id, program_id: id })))
    offset += rows.length
    isLast = rows.length === 0 || offset >= total
  }
  return joined
}

/** Throws "invalid" if a partner has not joined the program of its postback. Null: all programs. */
export function refuseOtherPrograms(programs: PostbackProgram[], program_id: number | null) {
  if (program_id === null || programs.some(program => program.program_id === program_id)) return
  throw new Fault("invalid", "program_id is not a program that you have joined.")
}

import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { findAccess, isAllowed, type WorkspaceAccess } from "../access/workspace-access"
import type * as contract from "../contract"
import type { Program } from "../contract"
import { findProgram, programNotFound } from "./programs"

type Request = RequestOf<typeof contract.permitProgram>

export async function permitProgram({ program_id, ...request }: Request) {
  const program = await findProgram(program_id)
  return authorize(program, await findAccess(request.caller, program.workspace_id), request)
}

/**
 * Returns the program if this access to its workspace allows the action. Otherwise throws "missing"
 * if the program must stay hidden, else "forbidden".
 */
export function authorize(
  program: Program,
  access: WorkspaceAccess,
  { caller, action, hides_existence = true }: Omit<Request, "program_id">,
): Program {
  if (hides_existence && access?.status !== "active") {
    throw programNotFound() // hides that it exists
  }
  const isOutside = caller.kind === "key" && caller.program_ids?.includes(program.id) === false
  if (isAllowed(access, action) && !isOutside) return program
  throw new Fault("forbidden", "You may not do this to this program.")
}

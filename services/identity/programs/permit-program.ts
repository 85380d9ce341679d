import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { may, type Standing, standingOf } from "../access/standing"
import type * as contract from "../contract"
import type { Program } from "../contract"
import { findProgram, noProgram } from "./programs"

type Asked = RequestOf<typeof contract.permitProgram>

export async function permitProgram({ program_id, ...asked }: Asked) {
  const program = await findProgram(program_id)
  return permitted(program, await standingOf(asked.caller, program.workspace_id), asked)
}

/**
 * The program, if a caller who stands so in its workspace may do this to it. Throws "missing", where
 * that is to be concealed, and "forbidden".
 */
export function permitted(
  program: Program,
  standing: Standing,
  { caller, action, conceals }: Omit<Asked, "program_id">,
): Program {
  if (conceals && standing?.status !== "active") {
    throw noProgram() // said as if it were true
  }
  const isOutside = caller.kind === "key" && caller.program_ids?.includes(program.id) === false
  if (may(standing, action) && !isOutside) return program
  throw new Fault("forbidden", "You may not do this to this program.")
}

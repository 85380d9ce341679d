import type { RequestOf } from "../../lib/contract"
import { Fault } from "../../lib/fault"
import type * as contract from "./contract"
import { findProgram, noProgram } from "./programs"
import { may, standingOf } from "./standing"

type Asked = RequestOf<typeof contract.permitProgram>

export async function permitProgram({ caller, action, program_id, conceals }: Asked) {
  const program = await findProgram(program_id)
  const standing = await standingOf(caller, program.workspace_id)
  if (conceals && standing?.status !== "active") {
    throw noProgram() // said as if it were true
  }
  const isOutside = caller.kind === "key" && caller.program_ids?.includes(program_id) === false
  if (may(standing, action) && !isOutside) return program
  throw new Fault("forbidden", "You may not do this to this program.")
}

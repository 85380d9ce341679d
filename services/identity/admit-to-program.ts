import type { RequestOf } from "../../lib/contract"
import type * as contract from "./contract"
import { findCaller } from "./find-caller"
import { permitProgram } from "./permit-program"
import { noProgram } from "./programs"

type Asked = RequestOf<typeof contract.admitToProgram>

export async function admitToProgram({ credential, action, program_id, conceals }: Asked) {
  const caller = await findCaller(credential) // before anything is said of programs
  if (program_id === null) throw noProgram()
  return { caller, program: await permitProgram({ caller, action, program_id, conceals }) }
}

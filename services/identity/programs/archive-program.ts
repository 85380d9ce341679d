import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { changeProgram } from "./change-program"

export async function archiveProgram({ program_id }: RequestOf<typeof contract.archiveProgram>) {
  return changeProgram(program_id, "program.archive", ({ status }) =>
    status === "archived" ? null : { status: "archived" },
  )
}

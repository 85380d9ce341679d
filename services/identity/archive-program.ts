import type { RequestOf } from "../../lib/contract"
import { changeProgram } from "./change-program"
import type * as contract from "./contract"

export async function archiveProgram({ program_id }: RequestOf<typeof contract.archiveProgram>) {
  return changeProgram(program_id, "program.archive", ({ status }) =>
    status === "archived" ? null : { status: "archived" },
  )
}

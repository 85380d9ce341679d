import type { RequestOf } from "../../lib/contract"
import { changeProgram } from "./change-program"
import type * as contract from "./contract"
import { archived } from "./programs"
import { checked } from "./settings"

type Asked = RequestOf<typeof contract.updateProgram>

export async function updateProgram({ program_id, changes }: Asked) {
  const fields = checked(changes, false)

  return changeProgram(program_id, "program.update", program => {
    if (program.status === "archived") throw archived()
    return Object.keys(fields).length > 0 ? fields : null
  })
}

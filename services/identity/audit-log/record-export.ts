import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.recordExport>

export async function recordExport({ workspace_id, program_id, list }: Request) {
  const change = { workspace_id, details: { list } }
  await sql.begin(sql =>
    program_id === null
      ? recordChange(sql, { ...change, action: "workspace.export", subject_id: workspace_id })
      : recordChange(sql, {
          ...change,
          action: "program.export",
          program_id,
          subject_id: program_id,
        }),
  )
  return {}
}

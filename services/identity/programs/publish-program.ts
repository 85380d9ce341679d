import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { lockShownProgram, recordProgramEvent } from "./program-events"
import { findProgram, programArchived } from "./programs"

/** Only website_url can be missing: every program has a policy in its Default group. */
export async function publishProgram({ program_id }: RequestOf<typeof contract.publishProgram>) {
  await sql.begin(async sql => {
    const before = await lockShownProgram(sql, program_id)
    const [published] = await sql<[{ workspace_id: number; published_at: string }?]>`
      update programs
      set published_at = now(), updated_at = now()
      where id = ${program_id}
        and version > 0
        and status <> 'archived'
        and website_url is not null
        and published_at is null
      returning workspace_id, published_at
    `
    if (!before || !published) return
    const { workspace_id, ...details } = published
    const change = { workspace_id, program_id, subject_id: program_id }
    await recordChange(sql, { ...change, action: "program.go_live", details })
    await recordProgramEvent(sql, before)
  })

  const program = await findProgram(program_id)
  if (program.status === "archived") throw programArchived()
  if (program.website_url && program.published_at) return program
  throw new Fault("invalid", "website_url is missing: set it before you publish the program.")
}

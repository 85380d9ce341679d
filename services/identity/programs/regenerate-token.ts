import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import { hashOf, mask, mintToken } from "../../../lib/token"
import type * as contract from "../contract"
import { sql } from "../db"
import { lockShownProgram, recordProgramEvent } from "./program-events"
import { programArchived } from "./programs"

/** Overwrites the hash of the old token, so that it is refused from the commit on. */
export async function regenerateToken({ program_id }: RequestOf<typeof contract.regenerateToken>) {
  const api_token = mintToken("aff_")
  const api_token_masked = mask("aff_", api_token)

  await sql.begin(async sql => {
    const before = await lockShownProgram(sql, program_id)
    const [renewed] = await sql<[{ workspace_id: number }?]>`
      update programs
      set
        token_hash = ${hashOf(api_token)},
        api_token_masked = ${api_token_masked},
        updated_at = now()
      where id = ${program_id} and version > 0 and status <> 'archived'
      returning workspace_id
    `
    if (!before || !renewed) throw programArchived()
    const change = { ...renewed, program_id, subject_id: program_id }
    const details = { api_token_masked }
    await recordChange(sql, { ...change, action: "program.regenerate_token", details })
    await recordProgramEvent(sql, before)
  })
  return { api_token, api_token_masked }
}

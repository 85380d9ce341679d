import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Terms } from "../contract"
import { sql } from "../db"
import { lockProgram } from "../programs/programs"
import { findTerms } from "./terms"

type Request = RequestOf<typeof contract.updateTerms>

/** The lock on the program makes concurrent changes take one version each. */
export const updateTerms = ({ program_id, terms: { text } }: Request): Promise<Terms> =>
  sql.begin(async sql => {
    const workspace_id = await lockProgram(sql, program_id)
    const current = await findTerms(sql, program_id)
    if (current.text === text) return current

    const [updated] = await sql<[Terms]>`
      insert into program_terms (program_id, version, text)
      values (${program_id}, ${current.version + 1}, ${text})
      returning version, text, created_at
    `
    const change = { workspace_id, program_id, subject_id: program_id }
    const details = { version: updated.version }
    await recordChange(sql, { ...change, action: "program.update_terms", details })
    return updated
  })

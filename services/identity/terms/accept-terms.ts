import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { NO_ACTOR, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { lockProgram } from "../programs/programs"
import { showPartnerTerms } from "./show-partner-terms"
import { findTerms } from "./terms"

type Request = RequestOf<typeof contract.acceptTerms>

/** The lock on the program makes a new version wait, or this acceptance be refused. */
export async function acceptTerms({ program_id, partner_id, version }: Request) {
  await sql.begin(async sql => {
    const workspace_id = await lockProgram(sql, program_id)
    const terms = await findTerms(sql, program_id)
    if (terms.text === "") throw new Fault("conflict", "The program has no terms.")
    if (terms.version !== version) {
      throw new Fault("conflict", `Version ${terms.version} of the terms is in force.`)
    }
    const accepted = await sql`
      insert into accepted_terms (program_id, partner_id, version)
      values (${program_id}, ${partner_id}, ${version})
      on conflict do nothing
    `
    if (accepted.count === 0) return
    const change = { workspace_id, program_id, subject_id: partner_id, details: { version } }
    await recordChange(sql, { ...change, action: "partner.accept_terms" }, NO_ACTOR)
  })
  return showPartnerTerms({ program_id, partner_id })
}

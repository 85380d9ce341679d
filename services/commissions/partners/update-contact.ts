import { foldedEmail } from "../../../lib/fields"
import { differences, recordChange } from "../../../lib/record-change"
import type { Partner, PartnerChange } from "../contract"
import { sql } from "../db"
import { emailFault, isCreated, partnerNotFound } from "./partners"

const UNIQUE_VIOLATION = "23505"

type Contact = Pick<PartnerChange, "name" | "email" | "note">
type Request = { program_id: number; partner_id: number; contact: Contact }

/**
 * Changes what the advertiser wrote about a partner. Only commissions knows it. The audit log says
 * which fields changed, but not to what: it is kept forever. Throws "missing" and "conflict".
 */
export async function updateContact({ program_id, partner_id, contact }: Request) {
  const write = sql.begin(async sql => {
    const [before] = await sql<[Pick<Partner, "name" | "email" | "note">?]>`
      select name, email, note
      from partner_programs as partner
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and ${isCreated}
      for update
    `
    if (!before) throw partnerNotFound()
    const { name, email, note } = { ...before, ...contact }
    const changed = differences(before, { name, email, note: note || null })
    if (!changed) return

    await sql`
      update partner_programs
      set
        name = ${name},
        email = ${email},
        email_folded = ${foldedEmail(email)},
        note = ${note || null}
      where program_id = ${program_id}
        and partner_id = ${partner_id}
    `
    const change = { program_id, action: "partner.update", subject_id: partner_id } as const
    await recordChange(sql, { ...change, details: { changed: Object.keys(changed) } })
  })
  await write.catch(async error => {
    if (error.code !== UNIQUE_VIOLATION || !contact.email) throw error
    throw await emailFault(sql, program_id, contact.email)
  })
}

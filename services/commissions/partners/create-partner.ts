import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import { entryOf } from "../../../lib/record-change"
import { retryOnSilence, unconfirmed } from "../../../lib/retry"
import { putPartner } from "../../tracking/contract"
import type * as contract from "../contract"
import { sql } from "../db"
import { completePartnerChange } from "./complete-partner-change"
import { storeNextVersion } from "./partner-versions"
import { emailFault, findGroupId } from "./partners"
import { showPartner } from "./show-partner"
import { withdrawPartner } from "./withdraw-partner"

type Request = RequestOf<typeof contract.createPartner>

/**
 * Stores the partner hidden. Tracking, which alone knows whether the code is free, then creates the
 * link, inactive at first. The partner is then published, and becomes visible once its first change
 * has activated the link. A partner that is not published is withdrawn, here or by the sweeper
 * after a crash: its link was never active, so it has no customers.
 */
export async function createPartner({ program_id, partner }: Request) {
  const partner_id = await storeHidden({ program_id, partner })
  const first_link = { code: partner.code ?? null, name: partner.name }
  const message = { program_id, partner_id, version: 1, status: "removed" as const, first_link }

  let mayBeKnown = false // to tracking, now or later: it stores nothing that it refuses
  const put = () =>
    call(putPartner, message).catch(fault => {
      mayBeKnown ||= fault.kind !== "conflict"
      throw fault
    })
  await retryOnSilence(put).catch(async fault => {
    await withdrawPartner({ program_id, partner_id, mayBeKnown }).catch(() => {}) // sweeper retries
    throw fault
  })
  await publish(program_id, partner_id)
  await completePartnerChange(program_id, partner_id).catch(unconfirmed) // the sweeper retries
  return showPartner({ program_id, partner_id }).catch(unconfirmed)
}

const storeHidden = ({
  program_id,
  partner: { email, name, group_id },
}: Request): Promise<number> =>
  sql.begin(async sql => {
    const group = await findGroupId(sql, program_id, group_id)
    const [{ id }] = await sql<[{ id: number }]>`
      insert into partners default values
      returning id
    `
    const [stored] = await sql`
      insert into partner_programs (program_id, partner_id, email, email_folded, name, group_id)
      values (${program_id}, ${id}, ${email}, ${foldedEmail(email)}, ${name}, ${group})
      on conflict do nothing -- of the address, as compared by this or an older version
      returning id
    `
    if (!stored) throw await emailFault(sql, program_id, email)
    return id
  })

/** Makes the creation final and proposes the change that activates the link. */
const publish = (program_id: number, partner_id: number) =>
  sql.begin(async sql => {
    const [partner] = await sql<[{ status: string; group_id: number }?]>`
      select status, group_id
      from partner_programs
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and version = 0
        and not is_withdrawn -- by a sweeper that assumed a crash
      for update
    `
    if (!partner) throw new Fault("unavailable", "Creating the partner took too long: try again.")
    const action = "partner.create"
    const details = partner // no name or e-mail address: the audit log is permanent
    const entry = entryOf({ program_id, action, subject_id: partner_id, details })
    await sql`
      update partner_programs
      set
        version = 1,
        final_xact = pg_current_xact_id(),
        proposed = ${sql.json(partner)},
        proposed_entry = ${sql.json(entry as never)},
        try_after = now() + interval '5 seconds'
      where program_id = ${program_id}
        and partner_id = ${partner_id}
    `
    await storeNextVersion(sql, { program_id, partner_id })
  })

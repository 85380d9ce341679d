import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import { entryOf } from "../../../lib/record-change"
import { retryOnSilence, unconfirmed } from "../../../lib/retry"
import { putPartner } from "../../tracking/contract"
import type * as contract from "../contract"
import { sql } from "../db"
import { completePartnerChange } from "./complete-partner-change"
import { groupOf, isMade } from "./partners"
import { showPartner } from "./show-partner"
import { withdrawPartner } from "./withdraw-partner"

type Asked = RequestOf<typeof contract.createPartner>

/**
 * Stored first, unseen; then tracking, which alone knows whether the code is free, makes the link,
 * which leads nowhere yet; then it is published, and when its first change has made the link lead to
 * it, it is seen. What is not published is withdrawn, here or by the sweeper after a crash: nobody has
 * been brought by it.
 */
export async function createPartner({ program_id, partner }: Asked) {
  const partner_id = await storeUnseen({ program_id, partner })
  const first_link = { code: partner.code ?? null, name: partner.name }
  const told = { program_id, partner_id, version: 1, status: "removed" as const, first_link }

  let mayBeKnown = false // to tracking, now or later: one that is refused is not stored there
  const put = () =>
    call(putPartner, told).catch(fault => {
      mayBeKnown ||= fault.kind !== "conflict"
      throw fault
    })
  await retryOnSilence(put).catch(async fault => {
    await withdrawPartner({ program_id, partner_id, mayBeKnown }).catch(() => {}) // the sweeper will
    throw fault
  })
  await publish(program_id, partner_id)
  await completePartnerChange(program_id, partner_id).catch(unconfirmed) // the sweeper goes on
  return showPartner({ program_id, partner_id }).catch(unconfirmed)
}

const storeUnseen = ({ program_id, partner: { email, name, group_id } }: Asked): Promise<number> =>
  sql.begin(async sql => {
    const group = await groupOf(sql, program_id, group_id)
    const [{ id }] = await sql<[{ id: number }]>`
      insert into partners default values
      returning id
    `
    const [stored] = await sql`
      insert into partner_programs (program_id, partner_id, email, email_folded, name, group_id)
      values (${program_id}, ${id}, ${email}, ${foldedEmail(email)}, ${name}, ${group})
      on conflict do nothing -- of the address, as we or an older version compare it
      returning id
    `
    if (!stored) throw await whyRefused(sql, program_id, email)
    return id
  })

/** A half-made partner is about to be seen, or to be gone: nobody can tell which. */
async function whyRefused(sql: Transaction, program_id: number, email: string): Promise<Fault> {
  const [partner] = await sql`
    select 1
    from partner_programs as partner
    where program_id = ${program_id}
      and (email_folded = ${foldedEmail(email)} or lower(email) = lower(${email}))
      and ${isMade}
  `
  return partner
    ? new Fault("conflict", "The program has a partner with this e-mail address.")
    : new Fault("unavailable", "A partner with this e-mail address is being made: try again.")
}

/** From here on it is made for sure: it proposes the change that lets its link bring somebody. */
const publish = (program_id: number, partner_id: number) =>
  sql.begin(async sql => {
    const [partner] = await sql<[{ status: string; group_id: number }?]>`
      select status, group_id
      from partner_programs
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and version = 0
        and not is_withdrawn -- by a sweeper that thought us dead
      for update
    `
    if (!partner) throw new Fault("unavailable", "Making the partner took too long: try again.")
    const action = "partner.create"
    const details = partner // what the program calls it is not for ever
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
  })

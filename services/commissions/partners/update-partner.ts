import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { differences, entryOf } from "../../../lib/record-change"
import { unconfirmed } from "../../../lib/retry"
import type * as contract from "../contract"
import type { Partner } from "../contract"
import { sql } from "../db"
import { completePartnerChange } from "./complete-partner-change"
import { groupOf } from "./partners"
import { showPartner } from "./show-partner"

const TRIES = 20

type Asked = RequestOf<typeof contract.updatePartner>

/**
 * A change is proposed, told to tracking, then made. Changes of one partner queue: whoever finds
 * another's half-made one completes it first.
 */
export async function updatePartner({ program_id, partner_id, change }: Asked) {
  await showPartner({ program_id, partner_id })
  const { group_id } = change
  if (group_id) await sql.begin(sql => groupOf(sql, program_id, group_id))

  for (let tries = 0; tries < TRIES; tries++) {
    const isProposed = await propose({ program_id, partner_id, change })
    await completePartnerChange(program_id, partner_id).catch(unconfirmed) // the sweeper goes on
    if (isProposed) return showPartner({ program_id, partner_id }).catch(unconfirmed)
  }
  throw new Fault("unavailable", "This partner is being changed by many at once: try again.")
}

/** The log will name who proposed a change, whoever completes it. */
const propose = ({ program_id, partner_id, change }: Asked): Promise<boolean> =>
  sql.begin(async sql => {
    const [before] = await sql<[{ status: Partner["status"]; group_id: number }?]>`
      select status, group_id
      from partner_programs
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and version > 0
        and proposed is null
      for update
    `
    if (!before) return false

    const after = { ...before, ...change }
    const details = differences(before, after)
    const named = { program_id, action: "partner.update", subject_id: partner_id } as const
    await sql`
      update partner_programs
      set
        proposed = ${sql.json(after)},
        proposed_entry = ${details && sql.json(entryOf({ ...named, details }) as never)},
        try_after = now() + interval '5 seconds'
      where program_id = ${program_id}
        and partner_id = ${partner_id}
    `
    return true
  })

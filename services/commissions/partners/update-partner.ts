import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { differences, entryOf } from "../../../lib/record-change"
import { unconfirmed } from "../../../lib/retry"
import type * as contract from "../contract"
import type { Partner } from "../contract"
import { sql } from "../db"
import { completePartnerChange } from "./complete-partner-change"
import { storeNextVersion } from "./partner-versions"
import { findGroupId } from "./partners"
import { showPartner } from "./show-partner"

const TRIES = 20

type Request = RequestOf<typeof contract.updatePartner>

/**
 * Proposes the change, sends it to tracking, then applies it. Changes of one partner run one at a
 * time: a request that finds another change unfinished completes that one first.
 */
export async function updatePartner({ program_id, partner_id, change }: Request) {
  await showPartner({ program_id, partner_id })
  const { group_id } = change
  if (group_id) await sql.begin(sql => findGroupId(sql, program_id, group_id))

  for (let tries = 0; tries < TRIES; tries++) {
    const isProposed = await propose({ program_id, partner_id, change })
    await completePartnerChange(program_id, partner_id).catch(unconfirmed) // the sweeper retries
    if (isProposed) return showPartner({ program_id, partner_id }).catch(unconfirmed)
  }
  throw new Fault("unavailable", "This partner has too many concurrent changes: try again.")
}

/**
 * Stores the change with its audit log entry, which names who proposed it even if another request
 * completes it. False: another change is unfinished.
 */
const propose = ({ program_id, partner_id, change }: Request): Promise<boolean> =>
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
    const entry = { program_id, action: "partner.update", subject_id: partner_id } as const
    await sql`
      update partner_programs
      set
        proposed = ${sql.json(after)},
        proposed_entry = ${details && sql.json(entryOf({ ...entry, details }) as never)},
        try_after = now() + interval '5 seconds'
      where program_id = ${program_id}
        and partner_id = ${partner_id}
    `
    await storeNextVersion(sql, { program_id, partner_id })
    return true
  })

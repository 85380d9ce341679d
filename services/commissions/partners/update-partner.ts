import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { type Entry, entryOf } from "../../../lib/record-change"
import { unconfirmed } from "../../../lib/retry"
import type * as contract from "../contract"
import type { PartnerChange } from "../contract"
import { sql } from "../db"
import { completePartnerChange, completeProposal } from "./complete-partner-change"
import { findGroupId, isCreated, partnerNotFound } from "./partners"
import { showPartner } from "./show-partner"
import { updateContact } from "./update-contact"

const TRIES = 20

type Request = RequestOf<typeof contract.updatePartner>
type Standing = Pick<PartnerChange, "status" | "group_id">

export async function updatePartner({ program_id, partner_id, change }: Request) {
  const { status, group_id, ...contact } = change
  if (group_id) await findGroupId(sql, program_id, group_id)
  if (Object.keys(contact).length > 0) await updateContact({ program_id, partner_id, contact })
  await updateStanding(program_id, partner_id, { status, group_id })
  return showPartner({ program_id, partner_id }).catch(unconfirmed)
}

/**
 * Proposes the change, sends it to tracking, then applies it. Changes of one partner run one at a
 * time: a request that finds another change unfinished completes that one first. The group must
 * exist. Throws "missing".
 */
export async function updateStanding(program_id: number, partner_id: number, change: Standing) {
  for (let tries = 0; tries < TRIES; tries++) {
    const proposal = await propose(program_id, partner_id, change)
    if (proposal) return completeProposal(proposal).catch(unconfirmed) // the sweeper retries
    if (!(await isUnfinished(program_id, partner_id))) return // nothing changes
    await completePartnerChange(program_id, partner_id).catch(unconfirmed)
  }
  throw new Fault("unavailable", "This partner has too many concurrent changes: try again.")
}

type Proposal = {
  version: number
  status: "approved" | "suspended" | "removed"
  entry: Entry // names only what changes
}

/**
 * Stores the change with its audit log entry, which names who proposed it even if another request
 * completes it, and with what the next version of the partner will say: tracking may store sales
 * under it as soon as it has received it. Null: nothing changes, or another change is unfinished.
 */
async function propose(program_id: number, partner_id: number, change: Standing) {
  const { status = null, group_id = null } = change
  const subject = { program_id, action: "partner.update", subject_id: partner_id } as const
  const entry = entryOf({ ...subject, details: {} })
  const [proposal] = await sql<[Proposal?]>`
    with proposed as (
      update partner_programs as partner
      set
        proposed = jsonb_build_object(
          'status', coalesce(${status}, status),
          'group_id', coalesce(${group_id}, group_id)
        ),
        proposed_entry = jsonb_set(
          ${sql.json(entry as never)}::jsonb,
          '{details}',
          jsonb_strip_nulls(jsonb_build_object(
            'status', nullif(${status}::text, status),
            'group_id', nullif(${group_id}::bigint, group_id)
          ))
        ),
        try_after = now() + interval '5 seconds'
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and ${isCreated}
        and proposed is null
        and (status, group_id) is distinct from
          (coalesce(${status}, status), coalesce(${group_id}, group_id))
      returning version + 1 as version, proposed, proposed_entry
    ),
    stored as (
      insert into partner_versions (program_id, partner_id, version, group_id, status)
      select
        ${program_id}, ${partner_id}, version, (proposed ->> 'group_id')::bigint,
        proposed ->> 'status'
      from proposed
    )
    select version, proposed ->> 'status' as status, proposed_entry as entry
    from proposed
  `
  return proposal && { program_id, partner_id, ...proposal }
}

async function isUnfinished(program_id: number, partner_id: number): Promise<boolean> {
  const [partner] = await sql<[{ is_unfinished: boolean }?]>`
    select proposed is not null as is_unfinished
    from partner_programs as partner
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and ${isCreated}
  `
  if (!partner) throw partnerNotFound()
  return partner.is_unfinished
}

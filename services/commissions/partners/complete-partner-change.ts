import { call } from "../../../lib/bus/bus"
import type { Transaction } from "../../../lib/db/database"
import { recordOutgoingEvent } from "../../../lib/outgoing-events"
import { differences, type Entry, recordEntry } from "../../../lib/record-change"
import { retryOnSilence } from "../../../lib/retry"
import { putPartner } from "../../tracking/contract"
import type { Partner } from "../contract"
import { sql } from "../db"
import { findPartner } from "./partners"

type Proposal = {
  program_id: number
  partner_id: number
  version: number // that it will have
  status: Partner["status"]
  entry: Entry | null
}

/** Completes the proposed change of a partner, if any. Safe to repeat and to run concurrently. */
export async function completePartnerChange(program_id: number, partner_id: number) {
  const [proposal] = await sql<[Proposal?]>`
    select
      program_id, partner_id,
      version + 1 as version,
      proposed ->> 'status' as status,
      proposed_entry as entry
    from partner_programs
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and proposed is not null
  `
  if (proposal) await completeProposal(proposal)
}

/** Sends a proposed change to tracking, then applies it. */
export async function completeProposal(proposal: Proposal) {
  const { program_id, partner_id, version, status, entry } = proposal
  await retryOnSilence(() => call(putPartner, { program_id, partner_id, version, status }))
  await sql.begin(async sql => {
    const before = await lockStanding(sql, proposal)
    const completed = await sql`
      update partner_programs
      set
        status = proposed ->> 'status',
        group_id = (proposed ->> 'group_id')::bigint,
        version = ${version},
        proposed = null,
        proposed_entry = null
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and version = ${version} - 1 -- otherwise a concurrent run was faster
        and proposed is not null
    `
    if (completed.count === 0) return
    if (entry) await recordEntry(sql, entry)
    await recordPartnerEvent(sql, proposal, before)
  })
}

type Standing = Pick<Partner, "status" | "group_id">

async function lockStanding(sql: Transaction, { program_id, partner_id }: Proposal) {
  const [partner] = await sql<[Standing]>`
    select status, group_id
    from partner_programs
    where program_id = ${program_id}
      and partner_id = ${partner_id}
    for no key update
  `
  return partner
}

/** Records the outgoing event of a new partner, or of a new status. */
async function recordPartnerEvent(
  sql: Transaction,
  { program_id, partner_id, status, entry }: Proposal,
  before: Standing,
) {
  const isNew = entry?.action === "partner.create"
  if (!isNew && status === before.status) return
  const data = await findPartner({ program_id, partner_id }, sql)
  const { group_id } = data
  const previous = isNew ? null : differences({ status, group_id }, before)
  await recordOutgoingEvent(sql, {
    program_id,
    partner_id,
    type: `partner.${status}`,
    data,
    previous,
  })
}

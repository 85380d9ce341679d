import type { Transaction } from "../../../lib/db/database"

type PartnerKey = { program_id: number; partner_id: number }

/**
 * Stores what the next version of a partner will say, in the transaction that proposes it: tracking
 * may store sales under that version as soon as it has received it.
 */
export async function storeNextVersion(sql: Transaction, { program_id, partner_id }: PartnerKey) {
  await sql`
    insert into partner_versions (program_id, partner_id, version, group_id, status)
    select
      program_id, partner_id, version + 1, (proposed ->> 'group_id')::bigint, proposed ->> 'status'
    from partner_programs
    where program_id = ${program_id}
      and partner_id = ${partner_id}
  `
}

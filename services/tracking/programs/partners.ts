import type { Database, Transaction } from "../../../lib/db/database"

/** Whether the partner belongs to the program and was not removed. */
export async function hasPartner(
  sql: Database | Transaction,
  program_id: number,
  partner_id: number,
): Promise<boolean> {
  const [partner] = await sql`
    select 1
    from partner_programs
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and status <> 'removed'
  `
  return partner !== undefined
}

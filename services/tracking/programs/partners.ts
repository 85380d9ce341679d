import type { Database, Transaction } from "../../../lib/db/database"

/** Whether the partner is one of the program: a removed one no longer is. */
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

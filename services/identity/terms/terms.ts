import type { Database, Transaction } from "../../../lib/db/database"
import type { Terms } from "../contract"

const NONE: Terms = { version: 0, text: "", created_at: null }

/** The terms of a program in force. */
export async function findTerms(sql: Database | Transaction, program_id: number): Promise<Terms> {
  const [terms] = await sql<[Terms?]>`
    select version, text, created_at
    from program_terms
    where program_id = ${program_id}
    order by version desc
    limit 1
  `
  return terms ?? NONE
}

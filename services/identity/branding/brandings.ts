import type { Database, Transaction } from "../../../lib/db/database"
import type { StoredBranding } from "../contract"

const NONE: StoredBranding = { color: null, welcome: null, logo_hash: null }

/** The branding of a program, which has none at first. */
export async function findBranding(
  sql: Database | Transaction,
  program_id: number,
): Promise<StoredBranding> {
  const [branding] = await sql<[StoredBranding?]>`
    select color, welcome, logo_hash
    from program_brandings
    where program_id = ${program_id}
  `
  return branding ?? NONE
}

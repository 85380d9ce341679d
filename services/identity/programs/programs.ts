import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Program } from "../contract"
import { sql } from "../db"

/** The columns of a program that the API shows. */
export const programColumns = sql`
  id,
  workspace_id,
  name,
  slug,
  website_url,
  status,
  currency,
  attribution_model,
  cookie_window_days,
  lead_auth,
  share_sale_amount,
  api_token_masked,
  is_demo,
  published_at,
  created_at,
  updated_at
`

export type VersionedProgram = Program & { version: number }

/** Throws "missing" if the program does not exist, or is still being created. */
export async function findProgram(
  program_id: number,
  database: Database | Transaction = sql,
): Promise<Program> {
  const { version, ...program } = await findVersionedProgram(program_id, database)
  return program
}

/** Finds a program with the version of its last change. Throws "missing". */
export async function findVersionedProgram(
  program_id: number,
  database: Database | Transaction = sql,
): Promise<VersionedProgram> {
  const [program] = await database<[VersionedProgram?]>`
    select version, ${programColumns}
    from programs
    where id = ${program_id} and version > 0
  `
  if (program) return program
  throw programNotFound()
}

export async function workspaceOf(sql: Transaction, program_id: number): Promise<number> {
  const [{ workspace_id }] = await sql<[{ workspace_id: number }]>`
    select workspace_id
    from programs
    where id = ${program_id}
  `
  return workspace_id
}

/**
 * Locks a program until the transaction ends, so that changes of what belongs to it run one at a
 * time. Returns its workspace. Throws "conflict" if it is archived.
 */
export async function lockProgram(sql: Transaction, program_id: number): Promise<number> {
  const [program] = await sql<[{ workspace_id: number; status: string }]>`
    select workspace_id, status
    from programs
    where id = ${program_id}
    for no key update
  `
  if (program.status === "archived") throw programArchived()
  return program.workspace_id
}

export const programNotFound = () => new Fault("missing", "Program not found.")
export const programArchived = () =>
  new Fault("conflict", "The program is archived and can no longer be changed.")

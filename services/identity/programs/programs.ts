import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Program } from "../contract"
import { sql } from "../db"

/** The columns of a program that are shown. */
export const shownProgram = sql`
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
  api_token_masked,
  published_at,
  created_at,
  updated_at
`

export type VersionedProgram = Program & { version: number }

/** Throws "missing" where there is none, or none yet. */
export async function findProgram(program_id: number): Promise<Program> {
  const { version, ...program } = await findVersionedProgram(program_id)
  return program
}

/** The same with the number of its last change. */
export async function findVersionedProgram(program_id: number): Promise<VersionedProgram> {
  const [program] = await sql<[VersionedProgram?]>`
    select version, ${shownProgram}
    from programs
    where id = ${program_id} and version > 0
  `
  if (program) return program
  throw noProgram()
}

export async function workspaceOf(sql: Transaction, program_id: number): Promise<number> {
  const [{ workspace_id }] = await sql<[{ workspace_id: number }]>`
    select workspace_id
    from programs
    where id = ${program_id}
  `
  return workspace_id
}

export const noProgram = () => new Fault("missing", "There is no such program.")
export const archived = () =>
  new Fault("conflict", "The program is archived: its settings stay as they are.")

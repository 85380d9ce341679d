import type { Transaction } from "../../../lib/db/database"
import { decrypt, encrypt } from "../../../lib/encryption"
import { recordChange } from "../../../lib/record-change"
import type { Program } from "../contract"
import { sql } from "../db"

/** The signing secret of a program. Null: the program is unknown or has none. */
export async function openStripeSecret(program_id: number): Promise<string | null> {
  const [stored] = await sql<[{ sealed: string }?]>`
    select sealed
    from stripe_secrets
    join programs on programs.id = program_id
    where program_id = ${program_id} and version > 0
  `
  return stored ? decrypt(stored.sealed, associatedDataOf(program_id)) : null
}

/** Stores a signing secret; null removes it. The audit log records only that it was changed. */
export const changeStripeSecret = (
  { id: program_id, workspace_id }: Program,
  secret: string | null,
) =>
  sql.begin(async sql => {
    if (secret) await storeStripeSecret(sql, program_id, secret)
    else if (!(await removeStripeSecret(sql, program_id))) return

    const action = secret ? "program.set_stripe_secret" : "program.clear_stripe_secret"
    const details = { has_stripe_secret: secret !== null }
    await recordChange(sql, { workspace_id, program_id, subject_id: program_id, action, details })
  })

export async function storeStripeSecret(sql: Transaction, program_id: number, secret: string) {
  const sealed = await encrypt(secret, associatedDataOf(program_id))
  await sql`
    insert into stripe_secrets (program_id, sealed)
    values (${program_id}, ${sealed})
    on conflict (program_id) do update set sealed = excluded.sealed
  `
}

async function removeStripeSecret(sql: Transaction, program_id: number): Promise<boolean> {
  const removed = await sql`
    delete from stripe_secrets
    where program_id = ${program_id}
  `
  return removed.count > 0
}

export const associatedDataOf = (program_id: number) => `stripe_secrets of program ${program_id}`

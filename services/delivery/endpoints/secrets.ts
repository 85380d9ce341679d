import { randomBytes } from "node:crypto"
import type { Transaction } from "../../../lib/db/database"
import { encrypt } from "../../../lib/encryption"
import { mask } from "../../../lib/token"
import { sql } from "../db"

const SECRET_BYTES = 32

/** Creates the current secret of an endpoint, which has none. Returns it for the only time. */
export async function createSecret(sql: Transaction, endpoint_id: number): Promise<string> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`
  const sealed = await encrypt(secret, associatedDataOf(endpoint_id))
  await sql`
    insert into webhook_secrets (endpoint_id, sealed, masked)
    values (${endpoint_id}, ${sealed}, ${mask("whsec_", secret)})
  `
  return secret
}

/** Deletes secrets whose overlap has ended. */
export async function deleteEndedSecrets(): Promise<number> {
  const { count } = await sql`
    delete from webhook_secrets
    where valid_until <= now()
  `
  return count
}

export const associatedDataOf = (endpoint_id: number) =>
  `webhook_secrets of endpoint ${endpoint_id}`

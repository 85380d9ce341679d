import type { Owner } from "./program"
import { send, sql } from "./world"

export const KEYS = "/api/advertiser/api-keys"

/** Creates a Management API key of the owner's workspace. Returns the reply, with the secret as `key`. */
export async function newKey({ session }: Pick<Owner, "session">, fields: object = {}) {
  const created = await send("POST", KEYS, { token: session, body: { name: "Key", ...fields } })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body.data as { id: number; key: string; prefix: string; key_masked: string }
}

/** Creates a key that has expired. */
export async function newExpiredKey(owner: Pick<Owner, "session">, fields: object = {}) {
  const key = await newKey(owner, fields)
  await sql`update identity.api_keys set expires_at = now() where id = ${key.id}`
  return key
}

/** Creates a key and revokes it. */
export async function newRevokedKey(owner: Pick<Owner, "session">, fields: object = {}) {
  const key = await newKey(owner, fields)
  await send("DELETE", `${KEYS}/${key.id}`, { token: owner.session })
  return key
}

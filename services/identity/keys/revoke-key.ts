import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { keyColumns, lockKey } from "./keys"

type Request = RequestOf<typeof contract.revokeKey>

/** The row stays, because the audit log names it. */
export const revokeKey = ({ caller, key_id }: Request): Promise<Key> =>
  sql.begin(async sql => {
    const { key, workspace_id } = await lockKey(sql, caller, key_id)
    const [revoked] = await sql<[Key]>`
      update api_keys
      set status = 'revoked'
      where id = ${key_id}
      returning ${keyColumns}
    `
    const details = differences(key, revoked)
    const action = "api_key.revoke"
    await recordChange(sql, { workspace_id, action, subject_id: key_id, details })
    return revoked
  })

/** Revokes the keys that a member created. Each is an entry in the audit log. */
export async function revokeKeysOf(sql: Transaction, workspace_id: number, user_id: number) {
  const revoked = await sql<{ id: number }[]>`
    update api_keys
    set status = 'revoked'
    where (workspace_id, created_by) = (${workspace_id}, ${user_id})
      and status = 'active'
    returning id
  `
  const change = { workspace_id, action: "api_key.revoke", details: { status: "revoked" } } as const
  for (const { id } of revoked) await recordChange(sql, { ...change, subject_id: id })
}

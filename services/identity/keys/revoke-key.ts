import type { RequestOf } from "../../../lib/bus/operation"
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

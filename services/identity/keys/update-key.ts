import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { checkProgramScope, exceedsCaller, keyColumns, lockKey } from "./keys"

type Request = RequestOf<typeof contract.updateKey>

export const updateKey = ({ caller, key_id, changes }: Request): Promise<Key> =>
  sql.begin(async sql => {
    const { key, workspace_id, has_ended, role } = await lockKey(sql, caller, key_id)
    const { name = key.name, scopes = key.scopes, program_scope = key.program_scope } = changes
    if (exceedsCaller(caller, program_scope)) {
      throw new Fault("forbidden", "Your key cannot grant programs that it does not have.")
    }
    const program_ids = await checkProgramScope(sql, program_scope, workspace_id)
    if (has_ended) throw new Fault("conflict", "A revoked or expired key cannot be changed.")

    const [updated] = await sql<[Key]>`
      update api_keys
      set
        name = ${name},
        scopes = ${[...new Set(scopes)]}::text[],
        program_scope = ${program_ids}::bigint[],
        -- scopes granted by an admin get the admin role ('admin' < 'owner'), even on an owner's key
        role = case when ${changes.scopes !== undefined} then least(role, ${role}) else role end
      where id = ${key_id}
      returning ${keyColumns}
    `
    const details = differences(key, updated)
    const action = "api_key.update"
    await recordChange(sql, { workspace_id, action, subject_id: key_id, details })
    return updated
  })

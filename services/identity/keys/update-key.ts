import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { isBeyond, lockKey, programsOf, shownKey } from "./keys"

type Asked = RequestOf<typeof contract.updateKey>

export const updateKey = ({ caller, key_id, changes }: Asked): Promise<Key> =>
  sql.begin(async sql => {
    const { key, workspace_id, has_ended, role } = await lockKey(sql, caller, key_id)
    const { name = key.name, scopes = key.scopes, program_scope = key.program_scope } = changes
    if (isBeyond(caller, program_scope)) {
      throw new Fault("forbidden", "Your key cannot give programs that it does not have.")
    }
    const program_ids = await programsOf(sql, program_scope, workspace_id)
    if (has_ended) throw new Fault("conflict", "The key has ended: it can only be read.")

    const [updated] = await sql<[Key]>`
      update api_keys
      set
        name = ${name},
        scopes = ${[...new Set(scopes)]}::text[],
        program_scope = ${program_ids}::bigint[],
        -- scopes that an admin gives are an admin's (the lesser word), whoever made the key
        role = case when ${changes.scopes !== undefined} then least(role, ${role}) else role end
      where id = ${key_id}
      returning ${shownKey}
    `
    const details = differences(key, updated)
    const action = "api_key.update"
    await recordChange(sql, { workspace_id, action, subject_id: key_id, details })
    return updated
  })

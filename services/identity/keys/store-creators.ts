import type { Transaction } from "../../../lib/db/database"

/**
 * Stores who created the keys of a workspace, from the audit log, where that is missing: a process
 * from before `created_by` may have created some during an update.
 */
export const storeCreators = (sql: Transaction, workspace_id: number) => sql`
  update api_keys
  set created_by = entry.actor_id
  from audit_entries as entry
  where api_keys.workspace_id = ${workspace_id}
    and created_by is null
    and entry.action = 'api_key.create'
    and entry.subject_id = api_keys.id
    and entry.workspace_id = api_keys.workspace_id
    and entry.actor_kind = 'user'
`

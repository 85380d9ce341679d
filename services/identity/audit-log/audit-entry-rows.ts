import type { Fragment, Transaction } from "../../../lib/db/database"
import { rangeOf } from "../../../lib/range"
import type { AuditEntry, AuditLogQuery } from "../contract"

/** The condition of the entries that a query selects. Throws "invalid" for its dates. */
export function auditEntriesWhere(
  sql: Transaction,
  workspace_id: number,
  query: AuditLogQuery,
): Fragment {
  const { actor_id, actor_kind, action, program_id, subject_type, subject_id } = query
  const { from, to } = rangeOf(query)
  const equal = { actor_id, actor_kind, action, program_id, subject_type, subject_id }
  const conditions = Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`and entry.${sql(column)} = ${value as string}`)
    .reduce((all, each) => sql`${all} ${each}`, sql``)
  return sql`
    entry.workspace_id = ${workspace_id}
    and entry.at between ${from} and ${to}
    ${conditions}
  `
}

/** Entries as the API shows them, newest first. */
export const auditEntries = (
  sql: Transaction,
  isWanted: Fragment,
  { limit, offset = 0 }: { limit: number; offset?: number },
) => sql<AuditEntry[]>`
  select
    entry.id, at, actor_kind, actor_id, actor_address,
    coalesce(users.name, api_keys.name) as actor_name,
    action, subject_type, subject_id, program_id, details, request_id
  from audit_entries as entry
  left join users on actor_kind = 'user' and users.id = actor_id
  left join api_keys on actor_kind = 'key' and api_keys.id = actor_id
  where ${isWanted}
  order by at desc, entry.id desc
  limit ${limit}
  offset ${offset}
`

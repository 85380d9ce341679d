import type { ReplyOf } from "../../lib/bus/operation"
import type * as contract from "./contract"
import { sql } from "./db"

export async function showReferences() {
  const [references] = await sql<[ReplyOf<typeof contract.showReferences>]>`
    select
      greatest(
        (select max(workspace_id) from webhook_endpoints),
        (select max(workspace_id) from postbacks),
        0
      ) as workspaces,
      greatest(
        (select max(program.id) from webhook_endpoints cross join unnest(program_ids) as program (id)),
        (select max(program_id) from postbacks),
        (select max(program_id) from event_logs),
        0
      ) as programs,
      coalesce((select max(partner_id) from postbacks), 0) as partners,
      coalesce((select max(account_id) from postbacks), 0) as accounts
  `
  return references
}

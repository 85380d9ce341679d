import type { ReplyOf } from "../../lib/bus/operation"
import type * as contract from "./contract"
import { sql } from "./db"

export async function showReferences() {
  const [references] = await sql<[ReplyOf<typeof contract.showReferences>]>`
    select
      coalesce(max(workspace_id), 0) as workspaces,
      coalesce(max((select max(id) from unnest(program_ids) as id)), 0) as programs
    from webhook_endpoints
  `
  return references
}

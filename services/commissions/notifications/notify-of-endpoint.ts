import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.notifyOfEndpoint>

export async function notifyOfEndpoint({ source_key, workspace_id, message }: Request) {
  await sql`
    insert into notifications (recipient, workspace_id, kind, source_key, message)
    values ('advertiser', ${workspace_id}, 'endpoint_disabled', ${source_key}, ${message})
    on conflict (source_key) where source_key is not null do nothing
  `
  return {}
}

import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { untilNoneStarts } from "../queue/receivers"
import { auditedFields, lockEndpoint } from "./endpoints"

export async function deleteEndpoint(key: RequestOf<typeof contract.deleteEndpoint>) {
  const deleted = await sql.begin(async sql => {
    const endpoint = await lockEndpoint(sql, key)
    await sql`
      delete from webhook_endpoints
      where id = ${endpoint.id}
    `
    await recordChange(sql, {
      workspace_id: key.workspace_id,
      action: "webhook_endpoint.delete",
      subject_id: endpoint.id,
      details: { host: auditedFields(endpoint).host },
    })
    return endpoint
  })
  await untilNoneStarts(key.workspace_id)
  return deleted
}

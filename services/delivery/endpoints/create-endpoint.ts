import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { createReceiver } from "../queue/receivers"
import { checkPrograms } from "./endpoint-programs"
import { checkUrl } from "./endpoint-url"
import { auditedFields, findEndpoint, refuseBeyond, subscriptionsOf } from "./endpoints"
import { createSecret } from "./secrets"

type Request = RequestOf<typeof contract.createEndpoint>

const ENDPOINTS_MAX = 20 // of a workspace

export async function createEndpoint({ workspace_id, limited_to, endpoint: input }: Request) {
  const { url, events, program_ids = null, payload = "full", description = null } = input
  refuseBeyond(limited_to, program_ids)
  const programs = await checkPrograms(workspace_id, program_ids)
  await checkUrl(url)

  return sql.begin(async sql => {
    await refuseOneMore(sql, workspace_id)
    const [{ id }] = await sql<[{ id: number }]>`
      insert into webhook_endpoints (
        workspace_id, url, events, program_ids, payload, description
      )
      values (
        ${workspace_id}, ${url}, ${subscriptionsOf(events)}::text[], ${programs}::bigint[],
        ${payload}, ${description}
      )
      returning id
    `
    await createReceiver(sql, workspace_id, { id, url })
    const secret = await createSecret(sql, id)
    const created = await findEndpoint(sql, { workspace_id, endpoint_id: id, limited_to })
    const details = auditedFields(created)
    await recordChange(sql, {
      workspace_id,
      action: "webhook_endpoint.create",
      subject_id: id,
      details,
    })
    return { ...created, secret }
  })
}

/** Throws "conflict" if the workspace has as many endpoints as it may. Creations take turns. */
async function refuseOneMore(sql: Transaction, workspace_id: number) {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || ${workspace_id}::text, 0))
  `
  const [{ endpoints }] = await sql<[{ endpoints: number }]>`
    select count(*) as endpoints
    from webhook_endpoints
    where workspace_id = ${workspace_id}
  `
  if (endpoints < ENDPOINTS_MAX) return
  throw new Fault("conflict", `A workspace has at most ${ENDPOINTS_MAX} webhook endpoints.`)
}

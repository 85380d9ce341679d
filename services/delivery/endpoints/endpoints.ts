import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { differences, recordChange } from "../../../lib/record-change"
import type { Endpoint, EndpointKey } from "../contract"
import { sql } from "../db"
import { forgetFailures, updateReceiver } from "../queue/receivers"

/** The columns of an endpoint that the API shows. */
export const endpointColumns = sql`
  id,
  url,
  to_jsonb(events) as events,
  to_jsonb(program_ids) as program_ids,
  payload,
  description,
  status,
  (
    select masked
    from webhook_secrets
    where endpoint_id = endpoint.id and valid_until is null
  ) as secret_masked,
  (
    select valid_until
    from webhook_secrets
    where endpoint_id = endpoint.id and valid_until > now()
  ) as previous_secret_valid_until,
  created_at
`

/** Finds an endpoint. Throws "missing". */
export async function findEndpoint(sql: Database | Transaction, key: EndpointKey) {
  const [endpoint] = await sql<[Endpoint?]>`
    select ${endpointColumns}
    from webhook_endpoints as endpoint
    where ${isOwn(sql, key)}
  `
  return endpoint ?? notFound()
}

/** Finds an endpoint and locks it until the transaction ends. Throws "missing". */
export async function lockEndpoint(sql: Transaction, key: EndpointKey) {
  const locked = await sql`
    select 1
    from webhook_endpoints as endpoint
    where ${isOwn(sql, key)}
    for update
  `
  if (locked.count === 0) notFound()
  return findEndpoint(sql, key) // a statement of its own sees what was committed meanwhile
}

/** Changes the status of a locked endpoint, and records that if it had another one. */
export async function changeStatus(
  sql: Transaction,
  { workspace_id }: EndpointKey,
  before: Endpoint,
  status: Endpoint["status"],
): Promise<Endpoint> {
  const after = { ...before, status }
  await sql`
    update webhook_endpoints
    set status = ${status}
    where id = ${before.id}
  `
  await updateReceiver(sql, before)
  if (status === "enabled") await forgetFailures(sql, before.id)
  await recordChange(sql, {
    workspace_id,
    action: status === "enabled" ? "webhook_endpoint.enable" : "webhook_endpoint.disable",
    subject_id: before.id,
    details: differences(before, after),
  })
  return after
}

/** The endpoints within the limit of the calling key. Null: all. */
export const isWithin = (sql: Database | Transaction, limited_to: number[] | null) =>
  limited_to ? sql`and program_ids <@ ${limited_to}::bigint[]` : sql``

/** Throws "forbidden" if an endpoint would have more programs than the calling key. */
export function refuseBeyond(limited_to: number[] | null, program_ids: number[] | null) {
  if (limited_to === null) return
  const own = new Set(limited_to)
  if (program_ids?.every(id => own.has(id))) return
  throw new Fault("forbidden", "Your key cannot subscribe to programs that it does not have.")
}

/** The events as they are stored: each once, and `*` alone. */
export const subscriptionsOf = (events: Endpoint["events"]): Endpoint["events"] =>
  events.includes("*") ? ["*"] : [...new Set(events)]

/**
 * What the audit log shows of an endpoint. Of the URL only the host, because its path or query may
 * be a secret, and the log is kept forever.
 */
export const auditedFields = ({ url, events, program_ids, payload, description }: Endpoint) => ({
  host: new URL(url).host,
  events,
  program_ids,
  payload,
  description,
})

const isOwn = (
  sql: Database | Transaction,
  { workspace_id, endpoint_id, limited_to }: EndpointKey,
) => sql`
  id = ${endpoint_id}
  and workspace_id = ${workspace_id}
  ${isWithin(sql, limited_to)}
`

function notFound(): never {
  throw new Fault("missing", "Webhook endpoint not found.")
}

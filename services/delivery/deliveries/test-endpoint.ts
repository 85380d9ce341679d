import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { EndpointKey } from "../contract"
import { sql } from "../db"
import { findEndpoint, lockEndpoint } from "../endpoints/endpoints"
import type { EventContent } from "../events/event-body"
import { type Outcome, send } from "../outside/send"
import { isSuccess } from "./retries"
import { sampleOf } from "./samples"
import { type SignedRequest, webhookRequest } from "./webhook-request"

type Request = RequestOf<typeof contract.testEndpoint>

/** It takes no turn and is not tried again. What came of it is in the log, and changes no endpoint. */
export async function testEndpoint({ type = "endpoint.test", ...key }: Request) {
  const { workspace_id, endpoint_id } = key
  const endpoint = await findEndpoint(sql, key)
  const content = await asStored({
    event_key: crypto.randomUUID(),
    type,
    at: new Date().toISOString(),
    sequence: null,
    workspace_id,
    program_id: endpoint.program_ids?.[0] ?? null,
    ...sampleOf(type, endpoint),
    is_test: true,
  })
  const { url, payload } = endpoint
  const sealed_secrets = await findSecrets(endpoint_id)
  const request = await webhookRequest({ endpoint_id, url, sealed_secrets, payload, content })
  const outcome = await send(request)
  const ok = isSuccess(outcome)

  const delivery_id = await sql.begin(async sql => {
    await lockEndpoint(sql, key)
    const delivery_id = await store(sql, key, { content, payload, request, outcome })
    await recordChange(sql, {
      workspace_id,
      action: "webhook_endpoint.test",
      subject_id: endpoint_id,
      details: { type, ok },
    })
    return delivery_id
  })
  const { response_status, latency_ms, error } = outcome
  return { delivery_id, ok, response_status, latency_ms, error }
}

/** The content in the order of the database, so that the log shows the same bytes as were sent. */
async function asStored(content: EventContent): Promise<EventContent> {
  const [{ stored }] = await sql<[{ stored: EventContent }]>`
    select ${sql.json(content as never)}::jsonb as stored
  `
  return stored
}

async function findSecrets(endpoint_id: number): Promise<string[]> {
  const secrets = await sql<{ sealed: string; valid_until: string | null }[]>`
    select sealed, valid_until
    from webhook_secrets
    where endpoint_id = ${endpoint_id}
      and (valid_until is null or valid_until > now())
    order by valid_until desc nulls first
  `
  if (secrets[0]?.valid_until === null) return secrets.map(({ sealed }) => sealed)
  throw new Fault("conflict", "The endpoint has no secret. Rotate its secret first.")
}

type Sent = {
  content: EventContent
  payload: "full" | "thin"
  request: SignedRequest
  outcome: Outcome
}

async function store(sql: Transaction, { endpoint_id }: EndpointKey, sent: Sent): Promise<number> {
  const { content, payload, request, outcome } = sent
  const { response_status, latency_ms, error, response_excerpt } = outcome
  const [{ delivery_id }] = await sql<[{ delivery_id: number }]>`
    insert into deliveries (receiver_id, own_event, type, program_id, payload, status, tries)
    select
      id, ${sql.json(content as never)}, ${content.type}, ${content.program_id}::bigint, ${payload},
      ${isSuccess(outcome) ? "delivered" : "failed"}, 1
    from receivers
    where endpoint_id = ${endpoint_id}
    returning id as delivery_id
  `
  await sql`
    insert into attempts (
      delivery_id, at, response_status, latency_ms, error, response_excerpt, signature
    )
    values (
      ${delivery_id}, ${request.at.toISOString()}, ${response_status}, ${latency_ms}, ${error},
      ${response_excerpt}, ${request.signature}
    )
  `
  return delivery_id
}

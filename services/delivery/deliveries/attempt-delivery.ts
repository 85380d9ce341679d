import { inBatches } from "../../../lib/batch"
import { sql } from "../db"
import { sendPrepared } from "../outside/send"
import type { Claimed, Lease } from "../queue/claim-deliveries"
import { START_MS_MAX } from "../queue/receivers"
import { isWanted } from "../queue/wanted"
import { disableGone } from "./disable-endpoints"
import { eventContent } from "./event-content"
import { type PreparedRequest, postbackAttempt } from "./postback-attempt"
import { recordAttempt } from "./record-attempt"
import { judge } from "./retries"
import { type SignedRequest, type WebhookContent, webhookRequest } from "./webhook-request"

const LEASE_LEFT_SECONDS = 20 // an attempt takes 15 s at most
const POSTPONED_SECONDS = 5
const UNSENT = {
  response_status: null,
  latency_ms: 0,
  response_excerpt: null,
  retry_after_seconds: null,
}

/** Attempts a delivery once, and records what came of it. One that is not wanted any more is put back. */
export async function attemptDelivery(claimed: Claimed) {
  const start = new Date()
  const attempt = claimed.is_postback
    ? await postbackAttempt(claimed)
    : { url: claimed.url, prepare: () => prepare(claimed) }
  if (attempt === "postponed") {
    await postpone(claimed)
    return
  }
  if (attempt && "refusal" in attempt) {
    const outcome = { ...UNSENT, error: attempt.refusal }
    const unsent = { at: start, signature: null, judges_receiver: false }
    await recordAttempt({ ...claimed, ...outcome, ...judge(outcome, claimed.tries), ...unsent })
    return
  }
  let prepared: PreparedRequest | null = null
  const outcome =
    attempt &&
    (await sendPrepared(attempt.url, async () => {
      prepared = await attempt.prepare()
      return prepared
    }))
  if (!outcome) {
    await giveBack(claimed)
    return
  }
  const { at = start, signature = null } = Object(prepared) as Partial<PreparedRequest>
  const verdict = judge(outcome, claimed.tries)
  await recordAttempt({
    ...claimed,
    ...outcome,
    ...verdict,
    ...{ at, signature, judges_receiver: true },
  })
  if (verdict.is_gone) await disableGone(claimed.delivery_id)
}

/**
 * Makes the request, if the lease still holds and the endpoint still wants it at this URL. The
 * connection begins at once, so no attempt starts long after this was looked up.
 */
async function prepare(claimed: Claimed): Promise<SignedRequest | null> {
  const start_ms = performance.now()
  const { delivery_id, token } = claimed
  const webhook = await findWebhook({ delivery_id, token })
  if (webhook?.url !== claimed.url) return null
  const request = await webhookRequest(webhook)
  return performance.now() - start_ms < START_MS_MAX ? request : prepare(claimed)
}

/** Returns null if the lease has ended or the endpoint does not want the delivery any more. */
const findWebhook = inBatches("webhooks", async (claimed: Lease[]) => {
  const found = await sql<(WebhookContent & { delivery_id: number })[]>`
    select
      delivery.id as delivery_id,
      endpoint.id as endpoint_id,
      endpoint.url,
      delivery.payload,
      ${eventContent} as content,
      (
        select jsonb_agg(sealed order by valid_until desc nulls first)
        from webhook_secrets
        where endpoint_id = endpoint.id
          and (valid_until is null or valid_until > now())
      ) as sealed_secrets
    from jsonb_to_recordset(${sql.json(claimed)}) as claimed (delivery_id bigint, token uuid)
    join leases using (delivery_id, token)
    join deliveries as delivery on delivery.id = leases.delivery_id
    join receivers on receivers.id = delivery.receiver_id
    join webhook_endpoints as endpoint on endpoint.id = receivers.endpoint_id
    left join events as event on event.id = delivery.event_id
    where until > now() + ${LEASE_LEFT_SECONDS} * interval '1 second'
      and delivery.status = 'pending'
      and ${isWanted}
  `
  const byId = new Map(found.map(webhook => [webhook.delivery_id, webhook]))
  return claimed.map(({ delivery_id }) => byId.get(delivery_id) ?? null)
})

const giveBack = ({ delivery_id, token }: Lease) => sql`
  delete from leases
  where delivery_id = ${delivery_id}
    and token = ${token}
`

/** Tries again in a moment: a service that the request needs is unavailable. */
const postpone = ({ delivery_id, token }: Lease) => sql`
  with given_back as (
    delete from leases
    where delivery_id = ${delivery_id}
      and token = ${token}
    returning delivery_id
  )
  update deliveries
  set next_attempt_at = now() + ${POSTPONED_SECONDS} * interval '1 second'
  from given_back
  where id = given_back.delivery_id
    and status = 'pending'
`

import type { Transaction } from "../../../lib/db/database"
import { asFault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { clock } from "../clock"
import type { Endpoint } from "../contract"
import { sql } from "../db"
import { changeStatus, lockEndpoint } from "../endpoints/endpoints"
import type { EventContent } from "../events/event-body"
import { type DisablingReason, recordDisabling } from "../notices/record-disabling"
import { disablePostback } from "../postbacks/disable-postback"

const FAILING_DAYS = 5
const FAILED_EVENTS_MIN = 10

type Key = { workspace_id: number; endpoint_id: number }
type Receiver = { workspace_id: number; endpoint_id: number | null; postback_id: number | null }

/** Disables the endpoint or postback of a delivery, which was answered with 410 (behaviour 12.4.2). */
export async function disableGone(delivery_id: number) {
  const receivers = await sql<Receiver[]>`
    select workspace_id, endpoint_id, postback_id
    from deliveries
    join receivers on receivers.id = receiver_id
    where deliveries.id = ${delivery_id}
  `
  for (const receiver of receivers) await disableReceiver(receiver, "gone")
}

/**
 * Disables endpoints and postbacks that have failed for five days, with ten events and no success.
 * Returns how many. A clock that was set wrong disables none.
 */
export async function disableFailing(): Promise<number> {
  const now = await clock.look()
  const failing = await sql<Receiver[]>`
    select workspace_id, endpoint_id, postback_id
    from receivers
    join destinations as endpoint on endpoint.receiver_id = receivers.id
    where endpoint.status = 'enabled'
      and failing_since < ${now}::timestamptz - ${FAILING_DAYS} * interval '1 day'
      and ${FAILED_EVENTS_MIN} = (
        select count(*)
        from (
          select
          from deliveries
          where receiver_id = receivers.id
            and exists (
              select
              from attempts
              where delivery_id = deliveries.id
                and at >= failing_since
            )
          limit ${FAILED_EVENTS_MIN}
        ) as failed
      )
  `
  let disabled = 0
  for (const receiver of failing) {
    try {
      await disableReceiver(receiver, "failing")
      disabled++
    } catch (err) {
      log.error({ err, ...receiver }, "A failing receiver was not disabled yet.")
    }
  }
  return disabled
}

async function disableReceiver(
  { workspace_id, endpoint_id, postback_id }: Receiver,
  reason: DisablingReason,
) {
  if (endpoint_id !== null) await disable({ workspace_id, endpoint_id }, reason)
  if (postback_id !== null) await disablePostback(postback_id)
}

async function disable(key: Key, reason: DisablingReason) {
  try {
    await sql.begin(async sql => {
      const unlimited = { ...key, limited_to: null }
      const before = await lockEndpoint(sql, unlimited)
      if (before.status === "disabled") return
      const disabled = await changeStatus(sql, unlimited, before, "disabled")
      const event = eventOf(key, disabled)
      await recordDisabling(sql, event, disabled.url, reason)
      await tellOthers(sql, key, event, disabled.program_ids)
    })
  } catch (error) {
    if (asFault(error).kind !== "missing") throw error // it was deleted meanwhile
  }
}

const eventOf = ({ workspace_id }: Key, disabled: Endpoint): EventContent => ({
  event_key: crypto.randomUUID(),
  type: "endpoint.disabled",
  at: new Date().toISOString(),
  sequence: null,
  workspace_id,
  program_id: null,
  data: disabled,
  previous: { status: "enabled" },
})

/**
 * Queues `endpoint.disabled` for the other endpoints of the workspace, unless the disabled one has
 * programs that they do not have.
 */
async function tellOthers(
  sql: Transaction,
  { workspace_id, endpoint_id }: Key,
  event: EventContent,
  program_ids: Endpoint["program_ids"],
) {
  await sql`
    insert into deliveries (receiver_id, own_event, type, payload, status, next_attempt_at)
    select
      receivers.id, ${sql.json(event as never)}, 'endpoint.disabled', payload, 'pending', now()
    from webhook_endpoints as endpoint
    join receivers on receivers.endpoint_id = endpoint.id
    where endpoint.workspace_id = ${workspace_id}
      and endpoint.id <> ${endpoint_id}
      and status = 'enabled'
      and events && array['*', 'endpoint.disabled']
      and (program_ids is null or ${program_ids}::bigint[] <@ program_ids)
  `
}

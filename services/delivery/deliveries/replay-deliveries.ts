import type { RequestOf } from "../../../lib/bus/operation"
import type { Fragment, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import { addMs, DAY_MS } from "../../../lib/time"
import type * as contract from "../contract"
import type { DeliveryKey, EndpointKey } from "../contract"
import { sql } from "../db"
import { lockEndpoint } from "../endpoints/endpoints"
import { isWanted } from "../queue/wanted"
import { ofEndpoint } from "./find-deliveries"
import { deliveryMissing } from "./show-delivery"

const DAYS_MAX = 30
const QUEUED_MAX = 50_000

export const replayDelivery = ({ delivery_id, ...key }: DeliveryKey) =>
  sql.begin(async sql => {
    await lockEnabled(sql, key)
    const found = await sql`
      select
      from deliveries as delivery
      where id = ${delivery_id}
        and ${ofEndpoint(key)}
    `
    if (found.count === 0) throw deliveryMissing()
    const queued = await requeue(sql, key, sql`delivery.id = ${delivery_id}`)
    if (queued === 0) {
      throw new Fault("conflict", "The endpoint does not subscribe to this event any more.")
    }
    await recordReplay(sql, key, { delivery_id })
    return { queued }
  })

type Request = RequestOf<typeof contract.replayDeliveries>

export async function replayDeliveries({ since, until, types, only, ...key }: Request) {
  const from = new Date(since).toISOString()
  const to = until ? new Date(until).toISOString() : null
  if (from < addMs(new Date().toISOString(), -DAYS_MAX * DAY_MS)) {
    throw new Fault("invalid", `since must be at most ${DAYS_MAX} days ago.`)
  }
  if (to && to < from) throw new Fault("invalid", "since must not be after until.")

  return sql.begin(async sql => {
    await lockEnabled(sql, key)
    const queued = await requeue(
      sql,
      key,
      sql`
        delivery.created_at >= ${from}::timestamptz
        and (${to}::timestamptz is null or delivery.created_at <= ${to}::timestamptz)
        and (${types ?? null}::text[] is null or type = any (${types ?? null}::text[]))
        and delivery.status = any (${only === "all" ? ALL : FAILED}::text[])
      `,
    )
    if (queued > QUEUED_MAX) {
      const message = `More than ${QUEUED_MAX} deliveries would be queued. Choose a shorter time.`
      throw new Fault("conflict", message)
    }
    await recordReplay(sql, key, { since: from, until: to, types, only, queued })
    return { queued }
  })
}

const FAILED = ["failed", "skipped"]
const ALL = [...FAILED, "delivered"] // what is pending is queued already

/** Locks an endpoint, so that it stays enabled. Throws "missing" and "conflict". */
async function lockEnabled(sql: Transaction, key: EndpointKey) {
  const { status } = await lockEndpoint(sql, key)
  if (status === "enabled") return
  throw new Fault("conflict", "The endpoint is disabled. Enable it first.")
}

/** Queues these deliveries of an endpoint, as if they were new. Returns how many. */
async function requeue(sql: Transaction, key: EndpointKey, these: Fragment): Promise<number> {
  const { count } = await sql`
    update deliveries
    set status = 'pending', tries = 0, next_attempt_at = now()
    where id in (
      select delivery.id
      from deliveries as delivery
      join webhook_endpoints as endpoint on endpoint.id = ${key.endpoint_id}
      where ${ofEndpoint(key)}
        and ${isWanted}
        and ${these}
      limit ${QUEUED_MAX + 1}
    )
  `
  return count
}

const recordReplay = (
  sql: Transaction,
  { workspace_id, endpoint_id }: EndpointKey,
  details: object,
) =>
  recordChange(sql, {
    workspace_id,
    action: "webhook_endpoint.replay",
    subject_id: endpoint_id,
    details,
  })

import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { DeliveryKey, EndpointKey } from "../contract"
import { sql } from "../db"
import { lockEndpoint } from "../endpoints/endpoints"
import { ofEndpoint } from "./find-deliveries"
import { requeue, requeueTime, timeOf } from "./requeue"
import { deliveryMissing } from "./show-delivery"

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
    const queued = await requeue(sql, ofEndpoint(key), sql`delivery.id = ${delivery_id}`)
    if (queued === 0) {
      throw new Fault("conflict", "The endpoint does not subscribe to this event any more.")
    }
    await recordReplay(sql, key, { delivery_id })
    return { queued }
  })

type Request = RequestOf<typeof contract.replayDeliveries>

export async function replayDeliveries({ since, until, types, only, ...key }: Request) {
  const { from, to } = timeOf({ since, until })
  return sql.begin(async sql => {
    await lockEnabled(sql, key)
    const queued = await requeueTime(sql, ofEndpoint(key), { since, until, types, only })
    await recordReplay(sql, key, { since: from, until: to, types, only, queued })
    return { queued }
  })
}

/** Locks an endpoint, so that it stays enabled. Throws "missing" and "conflict". */
async function lockEnabled(sql: Transaction, key: EndpointKey) {
  const { status } = await lockEndpoint(sql, key)
  if (status === "enabled") return
  throw new Fault("conflict", "The endpoint is disabled. Enable it first.")
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

import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import type { PostbackDeliveryKey } from "../contract"
import { sql } from "../db"
import { requeue, requeueTime, timeOf } from "../deliveries/requeue"
import { deliveryMissing } from "../deliveries/show-delivery"
import { programsOf } from "../postbacks/postback-programs"
import { recordOfPostback } from "../postbacks/record-postback-change"
import { lockEnabled, ofPostback } from "./find-deliveries"

const ACTION = "postback.replay"

export async function replayPostbackDelivery({ delivery_id, ...key }: PostbackDeliveryKey) {
  const programs = await programsOf(key.owner)
  return sql.begin(async sql => {
    const postback = await lockEnabled(sql, key)
    const found = await sql`
      select
      from deliveries as delivery
      where id = ${delivery_id}
        and ${ofPostback(key)}
    `
    if (found.count === 0) throw deliveryMissing()
    const queued = await requeue(sql, ofPostback(key), sql`delivery.id = ${delivery_id}`)
    if (queued === 0) {
      throw new Fault("conflict", "The postback is not sent for such events any more.")
    }
    const act = { owner: key.owner, programs, states: [postback], action: ACTION } as const
    await recordOfPostback(sql, { ...act, details: { delivery_id } })
    return { queued }
  })
}

type Request = RequestOf<typeof contract.replayPostback>

export async function replayPostback({ since, until, types, only, ...key }: Request) {
  const { from, to } = timeOf({ since, until })
  const programs = await programsOf(key.owner)
  return sql.begin(async sql => {
    const postback = await lockEnabled(sql, key)
    const queued = await requeueTime(sql, ofPostback(key), { since, until, types, only })
    const act = { owner: key.owner, programs, states: [postback], action: ACTION } as const
    const details = { since: from, until: to, types, only, queued }
    await recordOfPostback(sql, { ...act, details })
    return { queued }
  })
}

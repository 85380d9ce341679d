import type { Owner } from "./program"
import { RECEIVER } from "./receiver"
import { send } from "./world"

export const ENDPOINTS = "/api/advertiser/webhook-endpoints"

type NewEndpoint = { id: number; secret: string; secret_masked: string }

/** Creates a webhook endpoint of the owner's workspace. Returns the reply, with its secret. */
export async function newEndpoint({ session }: Pick<Owner, "session">, fields: object = {}) {
  const body = { url: RECEIVER, events: ["*"], ...fields }
  const created = await send("POST", ENDPOINTS, { token: session, body })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body.data as NewEndpoint
}

/** Tests a webhook endpoint. Returns the id of the delivery. */
export async function newTestDelivery({ session }: Pick<Owner, "session">, endpoint_id: number) {
  const tested = await send("POST", `${ENDPOINTS}/${endpoint_id}/test`, { token: session })
  if (tested.status !== 200) throw new Error(JSON.stringify(tested.body))
  return tested.body.data.delivery_id as number
}

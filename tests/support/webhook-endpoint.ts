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

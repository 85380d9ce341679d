import type { Owner } from "./program"
import { RECEIVER } from "./receiver"
import { send, sql } from "./world"

export const ENDPOINTS = "/api/advertiser/webhook-endpoints"
export const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

type NewEndpoint = { id: number; secret: string; secret_masked: string }
type Caller = Pick<Owner, "session">
type Id = number | string

export const endpointPath = (id: Id, action = "") => `${ENDPOINTS}/${id}${action && `/${action}`}`

/** Creates a webhook endpoint of the owner's workspace. Returns the reply, with its secret. */
export async function newEndpoint(owner: Caller, fields: object = {}) {
  const created = await createEndpoint(owner, fields)
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body.data as NewEndpoint
}

/** Creates a webhook endpoint of all events, unless `fields` say otherwise. It may be refused. */
export const createEndpoint = ({ session }: Caller, fields: object) =>
  send("POST", ENDPOINTS, { token: session, body: { url: RECEIVER, events: ["*"], ...fields } })

export const listEndpoints = ({ session }: Caller, query = "") =>
  send("GET", ENDPOINTS + query, { token: session })

export const showEndpoint = ({ session }: Caller, id: Id) =>
  send("GET", endpointPath(id), { token: session })

export const updateEndpoint = ({ session }: Caller, id: Id, body: object) =>
  send("PUT", endpointPath(id), { token: session, body })

export const deleteEndpoint = ({ session }: Caller, id: Id) =>
  send("DELETE", endpointPath(id), { token: session })

/** Enables, disables or tests a webhook endpoint, or replaces its secret. */
export const postToEndpoint = ({ session }: Caller, id: Id, action: string, body?: object) =>
  send("POST", endpointPath(id, action), { token: session, body })

/** Tests a webhook endpoint. Returns the id of the delivery. */
export async function newTestDelivery(owner: Caller, endpoint_id: number) {
  const tested = await postToEndpoint(owner, endpoint_id, "test")
  if (tested.status !== 200) throw new Error(JSON.stringify(tested.body))
  return tested.body.data.delivery_id as number
}

/** All that is stored of the endpoints of a workspace and their secrets. */
export const storedEndpoints = ({ workspace_id }: Pick<Owner, "workspace_id">) => sql`
  select endpoint::text as endpoint, (
    select string_agg(secret::text, ' ' order by id)
    from delivery.webhook_secrets as secret
    where endpoint_id = endpoint.id
  ) as secrets
  from delivery.webhook_endpoints as endpoint
  where workspace_id = ${workspace_id}
  order by id
`

export const maskedSecret = (secret: string) => `${secret.slice(0, 14)}****${secret.slice(-4)}`

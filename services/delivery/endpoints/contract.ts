import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, OneOf, Page, Time, Title } from "../../../lib/fields"
import { Subscription } from "../events/contract"

const EVENTS_MAX = 100
const PROGRAMS_MAX = 1_000

const Url = Type.String({
  maxLength: 2_048,
  description: "an https URL of at most 2,048 characters",
})
const Events = Type.Array(Subscription, {
  minItems: 1,
  maxItems: EVENTS_MAX,
  description: `a list with at least one of ${Subscription.description}`,
})
const Programs = Nullable(
  Type.Array(Id, { maxItems: PROGRAMS_MAX, description: "a list of at most 1,000 program ids" }),
)
const Payload = OneOf("full", "thin")

/** The body of POST /api/advertiser/webhook-endpoints. */
export const NewEndpoint = Type.Object({
  url: Url,
  events: Events,
  program_ids: Type.Optional(Programs), // absent or null: every program of the workspace
  payload: Type.Optional(Payload), // absent: full
  description: Type.Optional(Nullable(Title)),
})

/** The body of PUT …/:id: absent fields stay unchanged. */
export const EndpointChanges = Type.Partial(NewEndpoint)

/** The body of POST …/:id/rotate-secret. */
export const Rotation = Type.Object({
  overlap_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 168, description: "an integer from 0 to 168" }),
  ), // absent: 24
})

/** A webhook endpoint as the API shows it. */
export const Endpoint = Type.Object({
  id: Id,
  url: Type.String(),
  events: Type.Array(Subscription), // ["*"]: all
  program_ids: Nullable(Type.Array(Id)), // null: every program of the workspace
  payload: Payload,
  description: Nullable(Type.String()),
  status: OneOf("enabled", "disabled"),
  secret_masked: Nullable(Type.String()), // null: it was given up, and must be replaced
  previous_secret_valid_until: Nullable(Time), // null: only the current secret signs
  created_at: Time,
})

export type Endpoint = Static<typeof Endpoint>

const WithSecret = Type.Composite([Endpoint, Type.Object({ secret: Type.String() })])

/** The programs that the calling key is limited to. Null: no limit. */
const Limit = Nullable(Type.Array(Id))

/** An endpoint of a workspace. It is missing for a key that is limited to fewer programs. */
export const EndpointKey = Type.Object({ workspace_id: Id, endpoint_id: Id, limited_to: Limit })
export type EndpointKey = Static<typeof EndpointKey>

/**
 * Creates an endpoint. Its secret is shown only here. Faults: invalid (the URL is refused, a program
 * of another workspace), forbidden (more programs than the calling key has), conflict (20 exist).
 */
export const createEndpoint = operation("delivery.endpoint.create", {
  request: Type.Object({ workspace_id: Id, limited_to: Limit, endpoint: NewEndpoint }),
  reply: WithSecret,
})

/** The endpoints of a workspace by id, without those that have more programs than the calling key. */
export const listEndpoints = operation("delivery.endpoint.list", {
  request: Type.Object({ workspace_id: Id, limited_to: Limit, page: Page }),
  reply: ListOf(Endpoint),
})

/** Faults: missing. */
export const showEndpoint = operation("delivery.endpoint.show", {
  request: EndpointKey,
  reply: Endpoint,
})

/**
 * Changes an endpoint, effective for each request that starts after the reply. Faults: missing,
 * invalid and forbidden as in createEndpoint.
 */
export const updateEndpoint = operation("delivery.endpoint.update", {
  request: Type.Composite([EndpointKey, Type.Object({ changes: EndpointChanges })]),
  reply: Endpoint,
})

/** Deletes an endpoint with its secrets. The reply shows it for the last time. Faults: missing. */
export const deleteEndpoint = operation("delivery.endpoint.delete", {
  request: EndpointKey,
  reply: Endpoint,
})

/** Safe to repeat. Faults: missing, conflict (it has no secret). */
export const enableEndpoint = operation("delivery.endpoint.enable", {
  request: EndpointKey,
  reply: Endpoint,
})

/** Safe to repeat. No request to the endpoint starts after the reply. Faults: missing. */
export const disableEndpoint = operation("delivery.endpoint.disable", {
  request: EndpointKey,
  reply: Endpoint,
})

/**
 * Replaces the secret of an endpoint. The new one is shown only here. The old one also signs for
 * `overlap_hours`; an older one ends now. Faults: missing.
 */
export const rotateSecret = operation("delivery.endpoint.rotate_secret", {
  request: Type.Composite([EndpointKey, Rotation]),
  reply: WithSecret,
})

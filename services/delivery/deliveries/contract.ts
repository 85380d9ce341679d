import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Instant, ListOf, Nullable, OneOf, Slice, Time } from "../../../lib/fields"
import { Day } from "../../../lib/range"
import { EndpointKey } from "../endpoints/contract"
import { EVENT_TYPES, type EventType } from "../events/contract"

const TYPES = Object.keys(EVENT_TYPES) as EventType[]
const TypeName = OneOf(...TYPES)
export const DeliveryStatus = OneOf("pending", "delivered", "failed", "skipped")

export const Attempt = Type.Object({
  at: Time,
  response_status: Nullable(Type.Integer()), // null: no response came
  latency_ms: Type.Integer(), // until the headers of the response, or until the error
  error: Nullable(Type.String()), // a sentence; null: a response came
  response_excerpt: Nullable(Type.String()), // at most 1 KiB
})

/** What was, is or will be sent to an endpoint: one event (behaviour 12.4.4). */
export const Delivery = Type.Object({
  id: Id,
  event_id: Type.String({ description: "a string like evt_0123…" }),
  type: TypeName,
  status: DeliveryStatus,
  attempts: Type.Array(Attempt), // oldest first
  next_attempt_at: Nullable(Time), // null: none will follow
  created_at: Time, // when it was queued
})
export type Delivery = Static<typeof Delivery>

/** What a receiver verifies. */
const SignedHeaders = Type.Object({
  "webhook-id": Type.String(),
  "webhook-timestamp": Type.String(),
  "webhook-signature": Type.String(),
})

/** A delivery with what is sent. */
export const DeliveryDetails = Type.Composite([
  Type.Omit(Delivery, ["attempts"]),
  Type.Object({
    body: Type.String(), // as each attempt has it, unless a customer in it was erased
    attempts: Type.Array(
      Type.Composite([Attempt, Type.Object({ headers: Nullable(SignedHeaders) })]), // null: it was not sent
    ),
  }),
])
export type DeliveryDetails = Static<typeof DeliveryDetails>

/** The query of GET …/deliveries. */
export const DeliveryQuery = Type.Object({
  status: Type.Optional(DeliveryStatus),
  type: Type.Optional(TypeName),
  since: Day,
  until: Day,
})

/** The body of POST …/:id/replay. */
export const Replay = Type.Object({
  since: Instant, // at most 30 days ago
  until: Type.Optional(Instant), // absent: now
  types: Type.Optional(
    Type.Array(TypeName, {
      minItems: 1,
      maxItems: 100,
      description: "a list with at least one type of event",
    }),
  ), // absent: all
  only: Type.Optional(OneOf("failed", "all")), // absent: failed, which includes skipped ones
})

/** The body of POST …/:id/test. */
export const Test = Type.Object({ type: Type.Optional(TypeName) }) // absent: endpoint.test

export const Queued = Type.Object({ queued: Type.Integer() })

/** What came of a test. */
export const TestResult = Type.Object({
  delivery_id: Id,
  ok: Type.Boolean(),
  response_status: Nullable(Type.Integer()), // null: no response came
  latency_ms: Type.Integer(),
  error: Nullable(Type.String()), // a sentence; null: a response came
})

const DeliveryKey = Type.Composite([EndpointKey, Type.Object({ delivery_id: Id })])
export type DeliveryKey = Static<typeof DeliveryKey>

/** The deliveries of an endpoint, newest first, queued from `from` to `to`. Faults: none. */
export const listDeliveries = operation("delivery.delivery.list", {
  request: Type.Composite([
    EndpointKey,
    Type.Object({
      status: Type.Optional(DeliveryStatus),
      type: Type.Optional(TypeName),
      from: Time,
      to: Time,
      slice: Slice,
    }),
  ]),
  reply: ListOf(Delivery),
})

/** Faults: missing. */
export const showDelivery = operation("delivery.delivery.show", {
  request: DeliveryKey,
  reply: DeliveryDetails,
})

/**
 * Queues a delivery once more, with all its attempts before it. Faults: missing, conflict (the
 * endpoint is disabled or does not subscribe to the event any more).
 */
export const replayDelivery = operation("delivery.delivery.replay", {
  request: DeliveryKey,
  reply: Queued,
})

/**
 * Queues the deliveries of a time once more. Faults: missing, invalid (more than 30 days ago),
 * conflict (the endpoint is disabled, or they are too many).
 */
export const replayDeliveries = operation("delivery.delivery.replay_all", {
  request: Type.Composite([EndpointKey, Replay]),
  reply: Queued,
})

/**
 * Sends a sample to an endpoint at once, also to a disabled one, and only once. Takes as long as the
 * receiver does, 15 s at most. Faults: missing, conflict (it has no secret).
 */
export const testEndpoint = operation("delivery.endpoint.test", {
  request: Type.Composite([EndpointKey, Test]),
  reply: TestResult,
})

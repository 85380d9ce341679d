import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Instant, ListOf, Nullable, OneOf, Slice, Time } from "../../../lib/fields"
import { Day } from "../../../lib/range"
import { Attempt, DeliveryStatus, Queued, TestResult } from "../deliveries/contract"
import { PostbackEventName, PostbackKey } from "../postbacks/contract"

/** What was, is or will be sent by a postback: one event (behaviour 12.4.4). */
export const PostbackDelivery = Type.Object({
  id: Id,
  event_id: Type.String({ description: "a string like evt_0123…" }),
  type: PostbackEventName,
  status: DeliveryStatus,
  attempts: Type.Array(Attempt), // oldest first
  next_attempt_at: Nullable(Time), // null: none will follow
  created_at: Time, // when it was queued
})
export type PostbackDelivery = Static<typeof PostbackDelivery>

/** A delivery with the request that the postback makes of it now. */
export const PostbackDeliveryDetails = Type.Composite([
  PostbackDelivery,
  Type.Object({ method: OneOf("GET", "POST"), url: Type.String(), body: Nullable(Type.String()) }),
])
export type PostbackDeliveryDetails = Static<typeof PostbackDeliveryDetails>

/** The query of GET …/deliveries. */
export const PostbackDeliveryQuery = Type.Object({
  status: Type.Optional(DeliveryStatus),
  type: Type.Optional(PostbackEventName),
  since: Day,
  until: Day,
})

/** The body of POST …/:postbackId/replay. */
export const PostbackReplay = Type.Object({
  since: Instant, // at most 30 days ago
  until: Type.Optional(Instant), // absent: now
  types: Type.Optional(
    Type.Array(PostbackEventName, {
      minItems: 1,
      maxItems: 100,
      description: `a list with at least one of ${PostbackEventName.description}`,
    }),
  ), // absent: all
  only: Type.Optional(OneOf("failed", "all")), // absent: failed, which includes skipped ones
})

/** The body of POST …/:postbackId/test. */
export const PostbackTest = Type.Object({ type: Type.Optional(PostbackEventName) }) // absent: sale

const DeliveryKey = Type.Composite([PostbackKey, Type.Object({ delivery_id: Id })])
export type PostbackDeliveryKey = Static<typeof DeliveryKey>

/** The deliveries of a postback, newest first, queued from `from` to `to`. Faults: none. */
export const listPostbackDeliveries = operation("delivery.postback_delivery.list", {
  request: Type.Composite([
    PostbackKey,
    Type.Object({
      status: Type.Optional(DeliveryStatus),
      type: Type.Optional(PostbackEventName),
      from: Time,
      to: Time,
      slice: Slice,
    }),
  ]),
  reply: ListOf(PostbackDelivery),
})

/** A delivery of a postback. Faults: missing, unavailable (tracking or identity is away). */
export const showPostbackDelivery = operation("delivery.postback_delivery.show", {
  request: DeliveryKey,
  reply: PostbackDeliveryDetails,
})

/**
 * Queues a delivery once more, with all its attempts before it. Faults: missing, conflict (the
 * postback is disabled or is not sent for such events any more).
 */
export const replayPostbackDelivery = operation("delivery.postback_delivery.replay", {
  request: DeliveryKey,
  reply: Queued,
})

/**
 * Queues the deliveries of a time once more. Faults: missing, invalid (more than 30 days ago),
 * conflict (the postback is disabled, or they are too many).
 */
export const replayPostback = operation("delivery.postback.replay", {
  request: Type.Composite([PostbackKey, PostbackReplay]),
  reply: Queued,
})

/**
 * Sends a sample to the receiver of a postback at once, also of a disabled one, and only once. Takes
 * as long as the receiver does, 15 s at most. Faults: missing, unavailable (identity is away).
 */
export const testPostback = operation("delivery.postback.test", {
  request: Type.Composite([PostbackKey, PostbackTest]),
  reply: TestResult,
})

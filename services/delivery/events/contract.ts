import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, OneOf, Time } from "../../../lib/fields"

/** Every type of event, with a sentence about when it happens (contract of events, version 2026-11). */
export const EVENT_TYPES = {
  "lead.created": "A lead was recorded.",
  "sale.recorded": "A sale was recorded.",
  "refund.recorded": "A refund took back at least a part of a commission.",
  "commission.created": "A sale earned a commission.",
  "commission.approved": "A commission was approved, by a person or at the end of its hold.",
  "commission.held": "A commission was held, so that it is not paid for now.",
  "commission.released": "A held commission was released.",
  "commission.rejected": "A commission was rejected.",
  "commission.refunded": "A part of a commission was taken back by a refund.",
  "commission.reversed": "All of a commission was taken back by a refund.",
  "commission.paid": "A commission was paid.",
  "partner.applied": "Someone applied to become a partner.",
  "partner.approved": "A partner was approved, or created by the advertiser.",
  "partner.suspended": "A partner was suspended.",
  "partner.removed": "A partner was removed.",
  "partner.banned": "A partner was banned from all programs of the workspace.",
  "payout.confirmed": "A batch of payouts was confirmed.",
  "payout.completed": "No item of a batch of payouts is open any more.",
  "payout_item.paid": "An item of a payout was paid.",
  "payout_item.failed": "An item of a payout failed.",
  "payout_item.returned": "A paid item of a payout came back, in whole or in part.",
  "flag.raised": "A rule against fraud raised a flag.",
  "flag.decided": "A flag was decided.",
  "claim.opened": "A partner claimed a sale.",
  "claim.decided": "A partner's claim was approved or rejected.",
  "program.updated": "Something that a program shows was changed.",
  "program.archived": "A program was archived.",
  "policy.updated": "The commission policy of a group was changed.",
  "endpoint.disabled":
    "Another endpoint was disabled, because it failed for five days or answered 410.",
  "endpoint.test": "A test was sent to the endpoint.",
} as const

export type EventType = keyof typeof EVENT_TYPES

const TYPES = Object.keys(EVENT_TYPES) as EventType[]
const TypeName = OneOf(...TYPES)

/** A type of event, or `*` for all of them. */
export const Subscription = OneOf("*", ...TYPES)

/** An event as it is sent and listed (behaviour 12.1.1). */
export const Event = Type.Object({
  id: Type.String({ description: "a string like evt_0123…" }),
  type: TypeName,
  timestamp: Time,
  api_version: Type.String(),
  sequence: Nullable(Id), // in its program, without gaps; null: it is of an endpoint
  workspace_id: Id,
  program_id: Nullable(Id), // null: it is of the workspace
  test: Type.Boolean(),
  data: Type.Record(Type.String(), Type.Unknown()), // the object, or its ids
  truncated: Type.Optional(Type.Literal(true)), // it is thin, because it would exceed 64 KiB
})
export type Event = Static<typeof Event>

const ONE_TYPE = `(${TYPES.join("|").replaceAll(".", "\\.")})`

/** The query of GET …/event-log (behaviour 12.3). */
export const EventLogQuery = Type.Object({
  after: Type.Optional(
    Type.String({ pattern: "^(0|[1-9][0-9]{0,14})$", description: "a sequence, or 0" }),
  ), // absent: from the oldest event that is kept
  types: Type.Optional(
    Type.String({
      pattern: `^${ONE_TYPE}(,${ONE_TYPE})*$`,
      description: "types of events, separated by commas",
    }),
  ), // absent: all
  pageSize: Type.Optional(
    Type.String({ pattern: "^([1-9][0-9]?|100)$", description: "an integer from 1 to 100" }),
  ), // absent: 10
})

/**
 * The published events of a program after a sequence, in their order, as many as fit into a message.
 * `types` null: all. Faults: none.
 */
export const listEventLog = operation("delivery.event_log.list", {
  request: Type.Object({
    program_id: Id,
    after: Type.Integer({ minimum: 0 }),
    types: Nullable(Type.Array(TypeName)),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  reply: Type.Array(Event),
})

import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, OneOf, Time } from "../../../lib/fields"

const Call = {
  route: OneOf("click", "lead", "sale", "refund"),
  status: Type.Integer(), // of the reply
  error: Nullable(Type.String()), // null: the call was not refused
  fields: Type.Record(Type.String(), Nullable(Type.String())),
}

/**
 * A call to a tracking endpoint. `fields`: the names of what was sent, with the values of
 * transaction_id, click_id and aff, and null for all others.
 */
export const TrackingCall = Type.Object({ at: Time, ...Call })

export type TrackingCall = Static<typeof TrackingCall>

/** A call that a gateway answered `age_ms` ago, and what names its program. */
const AnsweredCall = Type.Object({
  ...Call,
  age_ms: Type.Integer(),
  program_id: Nullable(Id),
  code: Nullable(Type.String()), // the aff value of a click
  click_id: Nullable(Type.String()),
})

/**
 * Stores calls, the newest last, for people who look for what went wrong. Only the newest 200 of a
 * program are kept. A call belongs to `program_id`, else to the program of the link, else to that of
 * the customer; if none is known, it is not stored. Faults: none.
 */
export const recordCalls = operation("tracking.call.record", {
  request: Type.Object({ calls: Type.Array(AnsweredCall) }),
  reply: Type.Object({}),
})

/**
 * Lists the stored calls of a program within seven days, newest first. `since`: later ones only.
 * `status`: with this status of the reply, or with an error. Faults: none.
 */
export const listCalls = operation("tracking.call.list", {
  request: Type.Object({
    program_id: Id,
    since: Nullable(Time),
    status: Nullable(Type.Union([Type.Integer(), Type.Literal("refused")])),
  }),
  reply: Type.Object({ calls: Type.Array(TrackingCall) }),
})

import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id } from "../../../lib/fields"

/**
 * Numbers events of a program, in the order given: 1, 2, 3… without gaps. An event that has a number
 * keeps it, so repeating a request is safe. `after` is the highest number that the caller knows, or
 * 0: new numbers begin above it, because this database may have been restored to an earlier moment.
 * Faults: missing (no such program).
 */
export const numberEvents = operation("identity.event.number", {
  request: Type.Object({
    program_id: Id,
    after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    event_ids: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1_000 }),
  }),
  reply: Type.Object({
    workspace_id: Id, // of the program
    wants_sale_notices: Type.Boolean(), // whether a person gets mails about its sales
    numbers: Type.Array(Type.Object({ event_id: Type.String(), sequence: Id })),
  }),
})

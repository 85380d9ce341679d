import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id } from "../../../lib/fields"
import { Caller, Credential } from "../access/contract"

/** Returns the caller that a session or a key identifies. Faults: unauthorized (unknown, ended, revoked, expired). */
export const findCaller = operation("identity.caller.find", { request: Credential, reply: Caller })

/** Ends a session: from the reply on it is refused everywhere. Safe to repeat. Faults: none. */
export const signOut = operation("identity.session.end", {
  request: Type.Object({ session_id: Id }),
  reply: Type.Object({}),
})

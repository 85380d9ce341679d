import { healthOf } from "../../lib/health"
import { referencesOf } from "../../lib/neighbours"
import { outgoingEventsOf } from "../../lib/outgoing-events"

/** The outgoing events of this service, which delivery sends. */
export const feedOutgoingEvents = outgoingEventsOf("identity")

export const showHealth = healthOf("identity")

export const showReferences = referencesOf("identity", ["partners"])

export * from "./access/contract"
export * from "./accounts/contract"
export * from "./audit-log/contract"
export * from "./books/contract"
export * from "./branding/contract"
export * from "./event-numbers/contract"
export * from "./invitations/contract"
export * from "./keys/contract"
export * from "./notices/contract"
export * from "./partners/contract"
export * from "./programs/contract"
export * from "./public-programs/contract"
export * from "./sessions/contract"
export * from "./stripe/contract"
export * from "./terms/contract"
export * from "./workspaces/contract"

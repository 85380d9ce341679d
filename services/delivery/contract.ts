import { healthOf } from "../../lib/health"
import { referencesOf } from "../../lib/neighbours"
import { workspaceEntriesOf } from "../../lib/record-change"

/** The audit log entries of this service, which identity collects. */
export const feedAuditEntries = workspaceEntriesOf("delivery")

export const showReferences = referencesOf("delivery", [
  "workspaces",
  "programs",
  "partners",
  "accounts",
])

export const showHealth = healthOf("delivery")

export * from "./books/contract"
export * from "./deliveries/contract"
export * from "./endpoints/contract"
export * from "./events/contract"
export * from "./mail/contract"
export * from "./postback-deliveries/contract"
export * from "./postbacks/contract"

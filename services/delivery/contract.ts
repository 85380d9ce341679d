import { healthOf } from "../../lib/health"
import { workspaceEntriesOf } from "../../lib/record-change"

/** The audit log entries of this service, which identity collects. */
export const feedAuditEntries = workspaceEntriesOf("delivery")

export const showHealth = healthOf("delivery")

export * from "./books/contract"

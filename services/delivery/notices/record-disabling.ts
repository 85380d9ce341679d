import type { Transaction } from "../../../lib/db/database"
import { storeNotices } from "./store-notices"

/** Why an endpoint was disabled, for the people who read it. */
const REASONS = {
  gone: "it returned 410 Gone",
  failing: "it has failed for five days",
}
export type DisablingReason = keyof typeof REASONS

/** The event about it. */
type Disabling = { event_key: string; workspace_id: number; at: string }

/** Records the notice of a disabled endpoint, in the transaction that disables it. */
export function recordDisabling(
  sql: Transaction,
  { event_key: source_key, workspace_id, at }: Disabling,
  url: string,
  reason: DisablingReason,
) {
  const { host } = new URL(url) // the rest may hold a secret, and all members read this
  const message = `A webhook endpoint at ${host} was disabled: ${REASONS[reason]}. Events are kept and can be replayed.`
  const notice = { kind: "failing_endpoint" as const, partner_id: null, program_id: null, message }
  return storeNotices(sql, [{ ...notice, source_key, workspace_id, at }])
}

import type { Database, Transaction } from "../../../lib/db/database"
import { currentContext } from "../../../lib/request-context"

type Action = "user.sign_in" | "user.refuse_sign_in" | "user.sign_out"

/**
 * Records that someone signed in or out, or failed to, in the log of each workspace where the user
 * is an active member. `user_id` null: the address has no account, and nothing is stored. A
 * refused sign-in proves no identity, so its entry has no actor.
 */
export function recordSignIn(sql: Database | Transaction, action: Action, user_id: number | null) {
  const { actor, request_id } = currentContext()
  const isRefused = action === "user.refuse_sign_in"
  return sql`
    insert into audit_entries (
      workspace_id, actor_kind, actor_id, actor_address,
      action, subject_type, subject_id, details, request_id
    )
    select
      workspace_id,
      ${isRefused ? "none" : "user"},
      case when ${isRefused} then null else user_id end,
      ${actor.address},
      ${action}, 'user', user_id, '{}', ${request_id}
    from memberships
    where user_id = ${user_id} and status = 'active'
  `
}

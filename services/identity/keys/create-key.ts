import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import { hashOf, mask, mintToken } from "../../../lib/token"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { checkProgramScope, keyColumns } from "./keys"

type Request = RequestOf<typeof contract.createKey>

export async function createKey({ user_id, workspace_id, key: input }: Request) {
  const { name, scopes = ["*"], expires_at = null } = input
  const program_ids = await checkProgramScope(sql, input.program_scope, workspace_id)
  const expiresAt = expires_at && new Date(expires_at).toISOString()
  await requireFuture(expiresAt)

  const key = mintToken("affk_")
  return sql.begin(async sql => {
    // A change of the workspace's members waits, so that a suspension also revokes this key.
    await sql`
      select 1
      from workspaces
      where id = ${workspace_id}
      for share
    `
    const [created] = await sql<[Key?]>`
      insert into api_keys (
        workspace_id, created_by, role, name, key_hash, key_masked, scopes, program_scope,
        expires_at
      )
      select
        workspace_id, user_id, role, ${name}, ${hashOf(key)}, ${mask("affk_", key)},
        ${[...new Set(scopes)]}::text[], ${program_ids}::bigint[], ${expiresAt}::timestamptz
      from memberships
      where (workspace_id, user_id) = (${workspace_id}, ${user_id})
        and status = 'active'
        and role in ('owner', 'admin')
      returning ${keyColumns}
    `
    // The role has changed since it was checked.
    if (!created) throw new Fault("forbidden", "You may not do this in this workspace.")
    const { id: subject_id, key_masked, program_scope } = created
    const details = {
      name,
      key_masked,
      scopes: created.scopes,
      program_scope,
      expires_at: expiresAt,
    }
    await recordChange(sql, { workspace_id, action: "api_key.create", subject_id, details })
    return { ...created, key }
  })
}

async function requireFuture(time: string | null) {
  const [{ is_past }] = await sql<[{ is_past: boolean | null }]>`
    select ${time}::timestamptz <= now() as is_past
  `
  if (is_past) throw new Fault("invalid", "expires_at must not be in the past.")
}

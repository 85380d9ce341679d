import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import { hashOf, mask, mintToken } from "../../../lib/token"
import type * as contract from "../contract"
import type { Key } from "../contract"
import { sql } from "../db"
import { programsOf, shownKey } from "./keys"

type Asked = RequestOf<typeof contract.createKey>

export async function createKey({ user_id, workspace_id, key: asked }: Asked) {
  const { name, scopes = ["*"], expires_at = null } = asked
  const program_ids = await programsOf(sql, asked.program_scope, workspace_id)
  const ends = expires_at && new Date(expires_at).toISOString()
  await refuseThePast(ends)

  const key = mintToken("affk_")
  return sql.begin(async sql => {
    const [created] = await sql<[Key?]>`
      insert into api_keys (
        workspace_id, role, name, key_hash, key_masked, scopes, program_scope, expires_at
      )
      select
        workspace_id, role, ${name}, ${hashOf(key)}, ${mask("affk_", key)},
        ${[...new Set(scopes)]}::text[], ${program_ids}::bigint[], ${ends}::timestamptz
      from memberships
      where (workspace_id, user_id) = (${workspace_id}, ${user_id})
        and status = 'active'
        and role in ('owner', 'admin')
      returning ${shownKey}
    `
    if (!created) throw new Fault("forbidden", "You may not do this in this workspace.") // any more
    const { id: subject_id, key_masked, program_scope } = created
    const details = { name, key_masked, scopes: created.scopes, program_scope, expires_at: ends }
    await recordChange(sql, { workspace_id, action: "api_key.create", subject_id, details })
    return { ...created, key }
  })
}

async function refuseThePast(time: string | null) {
  const [{ is_past }] = await sql<[{ is_past: boolean | null }]>`
    select ${time}::timestamptz <= now() as is_past
  `
  if (is_past) throw new Fault("invalid", "expires_at must not be in the past.")
}

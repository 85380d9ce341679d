import type { Transaction } from "../../../lib/db/database"
import { foldedEmail } from "../../../lib/fields"
import { recordChange } from "../../../lib/record-change"
import { hashOf, mintToken } from "../../../lib/token"
import { sql } from "../db"
import { hasAccounts } from "./invitations"

type Stored = { id: number; workspace_id: number; expires_at: string }

/**
 * Invites the first owner of an instance, into a workspace of their own (behaviour 9.7.2). It is
 * called by a command on the server, since no member can invite yet. Inviting again replaces the
 * address and the token. Null: an account exists, and nothing was written.
 */
export async function inviteOwner(email: string) {
  const token = mintToken("affi_")
  return sql.begin(async sql => {
    await sql`select pg_advisory_xact_lock(hashtext('identity.inviteOwner'))`
    if (await hasAccounts(sql)) return null

    const invitation = { email, token_hash: hashOf(token) }
    const { expires_at, ...stored } =
      (await replace(sql, invitation)) ?? (await insert(sql, invitation))
    const { id: subject_id, workspace_id } = stored
    const details = { role: "owner", expires_at }
    await recordChange(sql, { workspace_id, action: "invitation.create", subject_id, details })
    return { token, expires_at }
  })
}

type Invitation = { email: string; token_hash: string }

async function replace(sql: Transaction, { email, token_hash }: Invitation) {
  const [stored] = await sql<[Stored?]>`
    update invitations
    set
      email = ${email},
      email_folded = ${foldedEmail(email)},
      token_hash = ${token_hash},
      expires_at = default
    where invited_by is null
      and accepted_at is null
    returning id, workspace_id, expires_at
  `
  return stored
}

async function insert(sql: Transaction, { email, token_hash }: Invitation) {
  const [stored] = await sql<[Stored]>`
    with workspace as (
      insert into workspaces (name)
      values (${`${email.slice(0, email.lastIndexOf("@"))}'s workspace`})
      returning id
    )
    insert into invitations (workspace_id, email, email_folded, role, token_hash)
    select id, ${email}, ${foldedEmail(email)}, 'owner', ${token_hash}
    from workspace
    returning id, workspace_id, expires_at
  `
  return stored
}

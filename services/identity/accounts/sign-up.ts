import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import type * as contract from "../contract"
import { sql } from "../db"
import { startSession } from "../sessions/sessions"
import { mintDeviceToken } from "./device-tokens"
import { hashPassword } from "./passwords"

type Request = RequestOf<typeof contract.signUp>

export async function signUp({ email, password, name, workspace_name }: Request) {
  const workspace = workspace_name ?? `${name}'s workspace`
  const password_hash = await hashPassword(password, [email, name])

  return sql.begin(async sql => {
    const [created] = await sql<[{ user_id: number; workspace_id: number }?]>`
      with new_user as (
        insert into users (email, email_folded, name, password_hash)
        values (${email}, ${foldedEmail(email)}, ${name}, ${password_hash})
        on conflict (email_folded) do nothing
        returning id
      ),
      new_workspace as (
        insert into workspaces (name)
        select ${workspace}
        from new_user
        returning id
      )
      insert into memberships (workspace_id, user_id, role)
      select new_workspace.id, new_user.id, 'owner'
      from new_user, new_workspace
      returning user_id, workspace_id
    `
    if (!created) throw new Fault("conflict", "This e-mail address is already registered: sign in.")

    return {
      user: { id: created.user_id, email, name },
      workspace: { id: created.workspace_id, name: workspace },
      device_token: mintDeviceToken({ id: created.user_id, password_hash }),
      ...(await startSession(sql, created.user_id)),
    }
  })
}

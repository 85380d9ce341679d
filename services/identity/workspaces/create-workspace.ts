import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.createWorkspace>
type Created = { id: number; name: string }

export const createWorkspace = ({ user_id, workspace: { name } }: Request): Promise<Created> =>
  sql.begin(async sql => {
    const [workspace] = await sql<[Created]>`
      insert into workspaces (name)
      values (${name})
      returning id, name
    `
    await sql`
      insert into memberships (workspace_id, user_id, role)
      values (${workspace.id}, ${user_id}, 'owner')
    `
    const change = { workspace_id: workspace.id, subject_id: workspace.id, details: { name } }
    await recordChange(sql, { ...change, action: "workspace.create" })
    return workspace
  })

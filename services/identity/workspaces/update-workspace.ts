import type { RequestOf } from "../../../lib/bus/operation"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.updateWorkspace>

export const updateWorkspace = ({ workspace_id, changes: { name } }: Request) =>
  sql.begin(async sql => {
    const [before] = await sql<[{ name: string }]>`
      select name
      from workspaces
      where id = ${workspace_id}
      for no key update
    `
    await sql`
      update workspaces
      set name = ${name}
      where id = ${workspace_id}
    `
    const details = differences(before, { name })
    const change = { workspace_id, subject_id: workspace_id, details }
    await recordChange(sql, { ...change, action: "workspace.update" })
    return { id: workspace_id, name }
  })

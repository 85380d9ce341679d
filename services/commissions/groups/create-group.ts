import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { checkPolicy } from "../contract"
import { sql } from "../db"
import { addPolicy } from "./policies"
import { showGroup } from "./show-group"

type Request = RequestOf<typeof contract.createGroup>

export async function createGroup({ program_id, group: { name, policy } }: Request) {
  checkPolicy(policy, true)
  const group_id = await sql.begin(async sql => {
    const [{ id }] = await sql<[{ id: number }]>`
      insert into groups (program_id, name)
      values (${program_id}, ${name})
      returning id
    `
    await addPolicy(sql, id, policy)
    const details = { name, policy }
    await recordChange(sql, { program_id, action: "group.create", subject_id: id, details })
    return id
  })
  return showGroup({ program_id, group_id })
}

import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { groupsWhere } from "./groups"

export async function listGroups({ program_id, slice }: RequestOf<typeof contract.listGroups>) {
  const rows = await groupsWhere({ program_id, ...slice })
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from groups
    where program_id = ${program_id}
  `
  return { rows: rowsThatFit(rows), total }
}

import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { isCreated, partnersWhere } from "./partners"

export async function listPartners({ program_id, slice }: RequestOf<typeof contract.listPartners>) {
  const rows = await partnersWhere({ program_id, ...slice })
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from partner_programs as partner
    where program_id = ${program_id}
      and ${isCreated}
  `
  return { rows: rowsThatFit(rows), total }
}

import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { isCreated } from "../partners/partners"
import { joinedProgramsWhere } from "./joined-programs"

type Request = RequestOf<typeof contract.listJoinedPrograms>

export async function listJoinedPrograms({ account_id, slice }: Request) {
  const rows = await joinedProgramsWhere(sql`partners.account_id = ${account_id}`, slice)
  const [{ total }] = await sql<[{ total: number }]>`
    select count(distinct partner.program_id) as total
    from partner_programs as partner
    join partners on partners.id = partner.partner_id
    where partners.account_id = ${account_id}
      and ${isCreated}
  `
  return { rows: rowsThatFit(rows), total }
}

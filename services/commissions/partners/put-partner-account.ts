import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

type Asked = RequestOf<typeof contract.putPartnerAccount>

export async function putPartnerAccount({ program_id, partner_id, account_id }: Asked) {
  const put = await sql`
    update partners
    set account_id = ${account_id}
    from partner_programs
    where partners.id = partner_programs.partner_id
      and partner_programs.partner_id = ${partner_id}
      and partner_programs.program_id = ${program_id}
      and version > 0
  `
  if (put.count === 0) throw new Fault("missing", "The program has no such partner.")
  return {}
}

import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.putPartnerAccount>

export async function putPartnerAccount({ program_id, partner_id, account_id }: Request) {
  const updated = await sql`
    update partners
    set account_id = ${account_id}
    from partner_programs
    where partners.id = partner_programs.partner_id
      and partner_programs.partner_id = ${partner_id}
      and partner_programs.program_id = ${program_id}
      and version > 0
  `
  if (updated.count === 0) throw new Fault("missing", "Partner not found in this program.")
  return {}
}

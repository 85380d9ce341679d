import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { hasPartner } from "../programs/partners"
import { checkDestination, insertLink } from "./links"

export async function createLink({ program_id, link }: RequestOf<typeof contract.createLink>) {
  const { partner_id, code = null, destination_url = null } = link
  checkDestination(destination_url)

  if (!(await hasPartner(sql, program_id, partner_id))) {
    throw new Fault("invalid", "partner_id does not name a partner of this program.")
  }
  return sql.begin(async sql => {
    const row = { program_id, partner_id, code, name: "link", destination_url }
    const created = await insertLink(sql, row)
    const details = { partner_id, code: created.code, destination_url }
    await recordChange(sql, { program_id, action: "link.create", subject_id: created.id, details })
    return created
  })
}

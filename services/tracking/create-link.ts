import type { RequestOf } from "../../lib/contract"
import { Fault } from "../../lib/fault"
import type * as contract from "./contract"
import { sql } from "./db"
import { checkDestination, insertLink } from "./links"
import { hasPartner } from "./partners"

export async function createLink({ program_id, link }: RequestOf<typeof contract.createLink>) {
  const { partner_id, code = null, destination_url = null } = link
  checkDestination(destination_url)

  if (!(await hasPartner(sql, program_id, partner_id))) {
    throw new Fault("invalid", "partner_id names no partner of the program.")
  }
  return insertLink(sql, { program_id, partner_id, code, name: "link", destination_url })
}

import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { joinedProgramsWhere } from "./joined-programs"

type Request = RequestOf<typeof contract.showProgramOfPartner>

export async function showProgramOfPartner({ program_id, partner_id }: Request) {
  const isPartner = sql`(partner.program_id, partner.partner_id) = (${program_id}, ${partner_id})`
  const [joined] = await joinedProgramsWhere(isPartner, { limit: 1, offset: 0 })
  if (!joined) throw new Fault("missing", "Partner not found in this program.")
  return joined
}

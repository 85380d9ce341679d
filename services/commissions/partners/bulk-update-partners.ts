import { inBulk } from "../../../lib/bulk"
import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import type { PartnerChange } from "../contract"
import { sql } from "../db"
import { findGroupId } from "./partners"
import { updateStanding } from "./update-partner"

type Request = RequestOf<typeof contract.bulkUpdatePartners>

const STATUS_AFTER = { approve: "approved", suspend: "suspended", remove: "removed" } as const

export async function bulkUpdatePartners({ program_id, change: request }: Request) {
  const change = await changeOf(program_id, request)
  const rows = await inBulk(request.ids, partner_id =>
    updateStanding(program_id, partner_id, change),
  )
  return { rows }
}

async function changeOf(
  program_id: number,
  { action, group_id }: Request["change"],
): Promise<PartnerChange> {
  if (action !== "move") return { status: STATUS_AFTER[action] }
  if (group_id === undefined) throw new Fault("invalid", "group_id is missing: name a group.")
  return { group_id: await findGroupId(sql, program_id, group_id) }
}

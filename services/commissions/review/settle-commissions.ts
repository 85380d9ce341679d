import { inBulk } from "../../../lib/bulk"
import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { approveCommission } from "../commissions/approve-commission"
import { rejectCommission } from "../commissions/reject-commission"
import type * as contract from "../contract"

type Request = RequestOf<typeof contract.settleCommissions>

export async function settleCommissions({ program_id, action, ids, reason }: Request) {
  if (action === "approve") {
    return { rows: await inBulk(ids, id => approveCommission({ program_id, commission_id: id })) }
  }
  if (reason === undefined) throw new Fault("invalid", "reason is missing: the partner reads it.")
  return {
    rows: await inBulk(ids, id => rejectCommission({ program_id, commission_id: id, reason })),
  }
}

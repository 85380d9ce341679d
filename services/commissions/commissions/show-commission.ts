import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { requireSame } from "../../../lib/same-row"
import type * as contract from "../contract"
import { sql } from "../db"
import { commissionsWhere } from "./commissions"

export async function showCommission(request: RequestOf<typeof contract.showCommission>) {
  const { program_id, commission_id } = request // not sale_id: another sale's is no missing one
  const [commission] = await commissionsWhere(sql, {
    program_id,
    commission_id,
    limit: 1,
    offset: 0,
  })
  if (!commission) throw new Fault("missing", "Commission not found in this program.")
  const { sale_id } = commission
  requireSame("showCommission", { sale_id }, { sale_id: request.sale_id })
  return commission
}

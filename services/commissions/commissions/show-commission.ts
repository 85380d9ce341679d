import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { commissionsWhere } from "./commissions"

export async function showCommission(request: RequestOf<typeof contract.showCommission>) {
  const [commission] = await commissionsWhere(sql, { ...request, limit: 1, offset: 0 })
  if (!commission) throw new Fault("missing", "Commission not found in this program.")
  return commission
}

import type { RequestOf } from "../../lib/contract"
import { Fault } from "../../lib/fault"
import { commissionsWhere } from "./commissions"
import type * as contract from "./contract"

export async function showCommission(asked: RequestOf<typeof contract.showCommission>) {
  const [commission] = await commissionsWhere({ ...asked, limit: 1, offset: 0 })
  if (!commission) throw new Fault("missing", "The program has no such commission.")
  return commission
}

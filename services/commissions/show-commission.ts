import type { RequestOf } from "../../lib/contract"
import { Fault } from "../../lib/fault"
import { commissionsWhere } from "./commissions"
import type * as contract from "./contract"
import { sql } from "./db"

export async function showCommission(asked: RequestOf<typeof contract.showCommission>) {
  const [commission] = await commissionsWhere(sql, { ...asked, limit: 1, offset: 0 })
  if (!commission) throw new Fault("missing", "The program has no such commission.")
  return commission
}

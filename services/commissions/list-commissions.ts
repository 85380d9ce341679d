import type { RequestOf } from "../../lib/contract"
import { commissionsWhere, countCommissions } from "./commissions"
import type * as contract from "./contract"

type Asked = RequestOf<typeof contract.listCommissions>

export async function listCommissions({ program_id, filter, page }: Asked) {
  const { page: number, pageSize: limit } = page
  const wanted = { program_id, ...filter }
  const rows = await commissionsWhere({ ...wanted, limit, offset: (number - 1) * limit })
  return { rows, total: await countCommissions(wanted) }
}

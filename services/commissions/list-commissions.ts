import type { RequestOf } from "../../lib/contract"
import { sliceOf } from "../../lib/fields"
import { commissionsWhere, countCommissions } from "./commissions"
import type * as contract from "./contract"

type Asked = RequestOf<typeof contract.listCommissions>

export async function listCommissions({ program_id, filter, page }: Asked) {
  const wanted = { program_id, ...filter }
  const rows = await commissionsWhere({ ...wanted, ...sliceOf(page) })
  return { rows, total: await countCommissions(wanted) }
}

import type { RequestOf } from "../../lib/contract"
import { rowsThatFit } from "../../lib/rows-that-fit"
import { commissionsWhere, countCommissions } from "./commissions"
import type * as contract from "./contract"

type Asked = RequestOf<typeof contract.listCommissions>

export async function listCommissions({ program_id, filter, slice }: Asked) {
  const wanted = { program_id, ...filter }
  const rows = await commissionsWhere({ ...wanted, ...slice })
  return { rows: rowsThatFit(rows), total: await countCommissions(wanted) }
}

import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { commissionsWhere, countCommissions } from "./commissions"

type Asked = RequestOf<typeof contract.listCommissions>

/** In one snapshot: a sale that comes in between must not move the page. */
export const listCommissions = ({ program_id, filter, slice }: Asked) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const wanted = { program_id, ...filter }
    const rows = await commissionsWhere(sql, { ...wanted, ...slice })
    return { rows: rowsThatFit(rows), total: await countCommissions(sql, wanted) }
  })

import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import { sql } from "../db"
import { commissionsWhere, countCommissions } from "./commissions"

type Request = RequestOf<typeof contract.listCommissions>

/** Reads rows and total in one snapshot, so that a new sale in between cannot shift the page. */
export const listCommissions = ({ program_id, filter, sort, slice }: Request) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const query = { program_id, ...filter }
    const rows = await commissionsWhere(sql, { ...query, sort, ...slice })
    return { rows: rowsThatFit(rows), total: await countCommissions(sql, query) }
  })

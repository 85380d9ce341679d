import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { changeStatus, lockEndpoint } from "./endpoints"

export const disableEndpoint = (key: RequestOf<typeof contract.disableEndpoint>) =>
  sql.begin(async sql => changeStatus(sql, key, await lockEndpoint(sql, key), "disabled"))

import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { untilNoneStarts } from "../queue/receivers"
import { changeStatus, lockEndpoint } from "./endpoints"

export async function disableEndpoint(key: RequestOf<typeof contract.disableEndpoint>) {
  const disabled = await sql.begin(async sql =>
    changeStatus(sql, key, await lockEndpoint(sql, key), "disabled"),
  )
  await untilNoneStarts(key.workspace_id)
  return disabled
}

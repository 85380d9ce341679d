import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { changeStatus, lockEndpoint } from "./endpoints"

export const enableEndpoint = (key: RequestOf<typeof contract.enableEndpoint>) =>
  sql.begin(async sql => {
    const endpoint = await lockEndpoint(sql, key)
    if (endpoint.secret_masked === null) {
      throw new Fault("conflict", "The endpoint has no secret. Rotate its secret first.")
    }
    return changeStatus(sql, key, endpoint, "enabled")
  })

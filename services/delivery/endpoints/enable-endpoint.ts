import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { lockEndpoint } from "./endpoints"

export const enableEndpoint = (key: RequestOf<typeof contract.enableEndpoint>) =>
  sql.begin(async sql => {
    const before = await lockEndpoint(sql, key)
    if (before.secret_masked === null) {
      throw new Fault("conflict", "The endpoint has no secret. Rotate its secret first.")
    }
    const after = { ...before, status: "enabled" as const }
    await sql`
      update webhook_endpoints
      set status = 'enabled'
      where id = ${before.id}
    `
    await recordChange(sql, {
      workspace_id: key.workspace_id,
      action: "webhook_endpoint.enable",
      subject_id: before.id,
      details: differences(before, after),
    })
    return after
  })

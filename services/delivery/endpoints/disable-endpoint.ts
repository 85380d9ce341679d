import type { RequestOf } from "../../../lib/bus/operation"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { lockEndpoint } from "./endpoints"

export const disableEndpoint = (key: RequestOf<typeof contract.disableEndpoint>) =>
  sql.begin(async sql => {
    const before = await lockEndpoint(sql, key)
    const after = { ...before, status: "disabled" as const }
    await sql`
      update webhook_endpoints
      set status = 'disabled'
      where id = ${before.id}
    `
    await recordChange(sql, {
      workspace_id: key.workspace_id,
      action: "webhook_endpoint.disable",
      subject_id: before.id,
      details: differences(before, after),
    })
    return after
  })

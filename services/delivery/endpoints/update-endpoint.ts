import type { RequestOf } from "../../../lib/bus/operation"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Endpoint } from "../contract"
import { sql } from "../db"
import { forgetFailures, untilNoneStarts, updateReceiver } from "../queue/receivers"
import { checkPrograms } from "./endpoint-programs"
import { checkUrl } from "./endpoint-url"
import {
  auditedFields,
  findEndpoint,
  lockEndpoint,
  refuseBeyond,
  subscriptionsOf,
} from "./endpoints"

type Request = RequestOf<typeof contract.updateEndpoint>

export async function updateEndpoint({ changes, ...key }: Request): Promise<Endpoint> {
  const { workspace_id, endpoint_id, limited_to } = key
  const { program_ids } = changes
  if (program_ids !== undefined) refuseBeyond(limited_to, program_ids)
  const programs = await checkPrograms(workspace_id, program_ids ?? null)
  if (changes.url !== undefined) await checkUrl(changes.url)

  const updated = await sql.begin(async sql => {
    const before = await lockEndpoint(sql, key)
    const after = {
      ...before,
      ...changes,
      events: subscriptionsOf(changes.events ?? before.events),
      program_ids: program_ids === undefined ? before.program_ids : programs,
    }
    await sql`
      update webhook_endpoints
      set
        url = ${after.url},
        events = ${after.events}::text[],
        program_ids = ${after.program_ids}::bigint[],
        payload = ${after.payload},
        description = ${after.description}
      where id = ${endpoint_id}
    `
    await updateReceiver(sql, after)
    if (after.url !== before.url) await forgetFailures(sql, endpoint_id)
    await recordChange(sql, {
      workspace_id,
      action: "webhook_endpoint.update",
      subject_id: endpoint_id,
      details: changedFields(before, after),
    })
    return findEndpoint(sql, key)
  })
  await untilNoneStarts(workspace_id)
  return updated
}

/** The host is named whenever the URL has changed, even if only its path is another. */
function changedFields(before: Endpoint, after: Endpoint): object | null {
  const changed = differences(auditedFields(before), auditedFields(after))
  return before.url === after.url ? changed : { host: new URL(after.url).host, ...changed }
}

import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { findEndpoint, lockEndpoint } from "./endpoints"
import { createSecret } from "./secrets"

type Request = RequestOf<typeof contract.rotateSecret>

const OVERLAP_HOURS = 24

export const rotateSecret = ({ overlap_hours = OVERLAP_HOURS, ...key }: Request) =>
  sql.begin(async sql => {
    const { id } = await lockEndpoint(sql, key)
    await endSecrets(sql, id, overlap_hours)
    const secret = await createSecret(sql, id)
    const endpoint = await findEndpoint(sql, key)
    await recordChange(sql, {
      workspace_id: key.workspace_id,
      action: "webhook_endpoint.rotate_secret",
      subject_id: id,
      details: { secret_masked: endpoint.secret_masked, overlap_hours },
    })
    return { ...endpoint, secret }
  })

/** Ends the previous secret now, and the current one after the overlap. */
async function endSecrets(sql: Transaction, endpoint_id: number, overlap_hours: number) {
  await sql`
    delete from webhook_secrets
    where endpoint_id = ${endpoint_id}
      and (valid_until is not null or ${overlap_hours}::int = 0)
  `
  await sql`
    update webhook_secrets
    set valid_until = now() + make_interval(hours => ${overlap_hours}::int)
    where endpoint_id = ${endpoint_id}
  `
}

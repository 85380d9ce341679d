import type { Transaction } from "../../../lib/db/database"
import { decrypt, encrypt } from "../../../lib/encryption"
import type { ResealResult } from "../../../lib/reseal"
import { sql } from "../db"
import { associatedDataOf } from "./secrets"

type Stored = { id: number; endpoint_id: number; sealed: string }

/**
 * Seals all secrets of webhook endpoints with SECRET_KEY. With `discard`, those that no key opens
 * are removed, and their endpoints are disabled if that was the current secret.
 */
export const resealWebhookSecrets = (discard: boolean): Promise<ResealResult> =>
  sql.begin(async sql => {
    const stored = await sql<Stored[]>`
      select id, endpoint_id, sealed
      from webhook_secrets
      order by id
      for update
    `
    const unopened: string[] = []
    for (const { id, endpoint_id, sealed } of stored) {
      const secret = await decrypt(sealed, associatedDataOf(endpoint_id)).catch(() => null)
      if (secret) {
        await sql`
          update webhook_secrets
          set sealed = ${await encrypt(secret, associatedDataOf(endpoint_id))}
          where id = ${id}
        `
      } else if (discard) await discardSecret(sql, id)
      else unopened.push(`a secret of webhook endpoint ${endpoint_id}`)
    }
    return { resealed: stored.length - unopened.length, unopened }
  })

const discardSecret = (sql: Transaction, id: number) => sql`
  with discarded as (
    delete from webhook_secrets
    where id = ${id}
    returning endpoint_id, valid_until
  ),
  skipped as (
    update receivers
    set is_narrowed = true
    from discarded
    where receivers.endpoint_id = discarded.endpoint_id
  )
  update webhook_endpoints
  set status = 'disabled'
  from discarded
  where webhook_endpoints.id = endpoint_id
    and valid_until is null
`

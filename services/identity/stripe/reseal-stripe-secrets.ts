import { decrypt, encrypt } from "../../../lib/encryption"
import type { ResealResult } from "../../../lib/reseal"
import { sql } from "../db"
import { associatedDataOf } from "./stripe-secrets"

/** Seals all signing secrets with SECRET_KEY. With `discard`, those that no key opens are removed. */
export const resealStripeSecrets = (discard: boolean): Promise<ResealResult> =>
  sql.begin(async sql => {
    const stored = await sql<{ program_id: number; sealed: string }[]>`
      select program_id, sealed
      from stripe_secrets
      order by program_id
      for update
    `
    const unopened: string[] = []
    for (const { program_id, sealed } of stored) {
      const secret = await decrypt(sealed, associatedDataOf(program_id)).catch(() => null)
      if (secret) {
        await sql`
          update stripe_secrets
          set sealed = ${await encrypt(secret, associatedDataOf(program_id))}
          where program_id = ${program_id}
        `
      } else if (discard) {
        await sql`
          delete from stripe_secrets
          where program_id = ${program_id}
        `
      } else unopened.push(`Stripe's signing secret of program ${program_id}`)
    }
    return { resealed: stored.length - unopened.length, unopened }
  })

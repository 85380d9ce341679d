import type { RequestOf } from "../../../lib/bus/operation"
import { entryOf } from "../../../lib/record-change"
import { unconfirmed } from "../../../lib/retry"
import { hashOf, mask, mintToken } from "../../../lib/token"
import type * as contract from "../contract"
import { sql } from "../db"
import { storeStripeSecret } from "../stripe/stripe-secrets"
import { type Change, completeChange, completeOpenChange } from "./program-changes"
import { findProgram } from "./programs"
import { checkSettings, DEFAULT_SETTINGS } from "./settings"
import { reserveSlug, reserveSlugFromName } from "./slugs"

type Request = RequestOf<typeof contract.createProgram>

/**
 * Stores the program as version 0, which is never shown. Its first change announces it to tracking
 * and commissions. Any failure before that is complete undoes the program, slug included: tracking
 * and commissions then know, perhaps late, an archived program that cannot be used. The second
 * change always completes, and makes the program visible.
 */
export async function createProgram({ workspace_id, program }: Request) {
  const { stripe_signing_secret: secret, ...settings } = program
  const fields = checkSettings(settings, true)
  const api_token = mintToken("aff_")

  const creation = await storeCreation(workspace_id, fields, api_token, secret)
  await completeChange(creation).catch(async error => {
    await undoCreation(creation).catch(() => {}) // the sweeper retries
    throw error
  })
  await completeOpenChange(creation.program_id).catch(unconfirmed)
  return { ...(await findProgram(creation.program_id)), api_token }
}

/** Deletes a program whose first change is still open. A final creation is kept. */
export const undoCreation = ({ program_id }: Change) => sql`
  with undone as (
    delete from program_changes
    where (program_id, version) = (${program_id}, 1) and state = 'open'
    returning program_id
  )
  delete from programs
  using undone
  where id = undone.program_id
`

function storeCreation(
  workspace_id: number,
  fields: Omit<Request["program"], "stripe_signing_secret">,
  api_token: string,
  secret: string | null = null,
) {
  return sql.begin(async sql => {
    const [{ id }] = await sql<[{ id: number }]>`
      insert into programs (workspace_id, token_hash, api_token_masked)
      values (${workspace_id}, ${hashOf(api_token)}, ${mask("aff_", api_token)})
      returning id
    `
    const slug = fields.slug ?? (await reserveSlugFromName(sql, fields.name, id))
    if (fields.slug) await reserveSlug(sql, slug, id)

    if (secret) await storeStripeSecret(sql, id, secret)

    const settings = { ...DEFAULT_SETTINGS, ...fields, slug }
    const change = {
      workspace_id,
      program_id: id,
      action: "program.create",
      subject_id: id,
    } as const
    const details = secret ? { ...settings, has_stripe_secret: true } : settings
    const entry = entryOf({ ...change, details })
    await sql`
      insert into program_changes (program_id, version, settings, entry)
      values (${id}, 1, ${sql.json(settings)}, ${sql.json(entry as never)})
    `
    return { program_id: id, workspace_id, version: 1, settings } satisfies Change
  })
}

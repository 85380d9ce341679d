import type { RequestOf } from "../../../lib/bus/operation"
import { entryOf } from "../../../lib/record-change"
import { unconfirmed } from "../../../lib/retry"
import { hashOf, mask, mintToken } from "../../../lib/token"
import type * as contract from "../contract"
import { sql } from "../db"
import { storeStripeSecret } from "../stripe/stripe-secrets"
import { type Change, carryOut, carryOutOpen } from "./program-changes"
import { findProgram } from "./programs"
import { checked, DEFAULTS } from "./settings"
import { reserveSlug, reserveSlugFor } from "./slugs"

type Asked = RequestOf<typeof contract.createProgram>

/**
 * A program begins as version 0, which nobody is shown. Its first change tells the others of it,
 * and until that is through, whatever goes wrong undoes it, its slug included: what tracking and
 * commissions have heard, be it late, is of a program with which nobody can do anything. Its second
 * change is brought to its end for sure, and shows it.
 */
export async function createProgram({ workspace_id, program }: Asked) {
  const { stripe_signing_secret: secret, ...settings } = program
  const fields = checked(settings, true)
  const api_token = mintToken("aff_")

  const creation = await begin(workspace_id, fields, api_token, secret)
  await carryOut(creation).catch(async error => {
    await undoCreation(creation).catch(() => {}) // the sweeper will
    throw error
  })
  await carryOutOpen(creation.program_id).catch(unconfirmed)
  return { ...(await findProgram(creation.program_id)), api_token }
}

/** What has been decided stays. */
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

function begin(
  workspace_id: number,
  fields: Omit<Asked["program"], "stripe_signing_secret">,
  api_token: string,
  secret: string | null = null,
) {
  return sql.begin(async sql => {
    const [{ id }] = await sql<[{ id: number }]>`
      insert into programs (workspace_id, token_hash, api_token_masked)
      values (${workspace_id}, ${hashOf(api_token)}, ${mask("aff_", api_token)})
      returning id
    `
    const slug = fields.slug ?? (await reserveSlugFor(sql, fields.name, id))
    if (fields.slug) await reserveSlug(sql, slug, id)

    if (secret) await storeStripeSecret(sql, id, secret)

    const settings = { ...DEFAULTS, ...fields, slug }
    const named = {
      workspace_id,
      program_id: id,
      action: "program.create",
      subject_id: id,
    } as const
    const details = secret ? { ...settings, has_stripe_secret: true } : settings
    const entry = entryOf({ ...named, details })
    await sql`
      insert into program_changes (program_id, version, settings, entry)
      values (${id}, 1, ${sql.json(settings)}, ${sql.json(entry as never)})
    `
    return { program_id: id, workspace_id, version: 1, settings } satisfies Change
  })
}

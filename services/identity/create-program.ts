import type { RequestOf } from "../../lib/contract"
import { entryOf } from "../../lib/record-change"
import { hashOf, mask, mintToken } from "../../lib/token"
import type * as contract from "./contract"
import { sql } from "./db"
import { type Change, carryOut } from "./program-changes"
import { findProgram } from "./programs"
import { checked, DEFAULTS } from "./settings"
import { reserveSlug, reserveSlugFor } from "./slugs"
import { storeStripeSecret } from "./stripe-secrets"

type Asked = RequestOf<typeof contract.createProgram>

/**
 * A program begins as version 0, which nobody is shown, and appears when its first change is
 * applied. What goes wrong before undoes it, its slug included; whatever tracking and commissions
 * heard of it is of a program that no request can name.
 */
export async function createProgram({ workspace_id, program }: Asked) {
  const { stripe_signing_secret: secret, ...settings } = program
  const fields = checked(settings, true)
  const api_token = mintToken("aff_")

  const creation = await begin(workspace_id, fields, api_token, secret)
  await carryOut(creation).catch(async error => {
    await undoCreation(creation)
    throw error
  })
  return { ...(await findProgram(creation.program_id)), api_token }
}

/** What has been answered, or is about to be, is of version 1 and stays. */
export const undoCreation = ({ program_id }: Change) => sql`
  delete from programs
  where id = ${program_id} and version = 0
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

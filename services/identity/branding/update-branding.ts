import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { StoredBranding } from "../contract"
import { sql } from "../db"
import { lockProgram } from "../programs/programs"
import { findBranding } from "./brandings"
import { contrastToWhite, isReadable, nearestReadable } from "./contrast"
import { encodeLogo } from "./logo"

type Request = RequestOf<typeof contract.updateBranding>

/** An image takes long to encode, so that is done before anything is locked. */
export async function updateBranding({ program_id, changes }: Request): Promise<StoredBranding> {
  const color = changes.color?.toLowerCase() ?? changes.color
  if (color) refuseUnreadable(color)
  const logo = changes.logo ? await encodeLogo(changes.logo) : changes.logo
  const logo_hash = logo ? Bun.SHA256.hash(logo, "hex").slice(0, 32) : logo
  const isLogoGiven = logo !== undefined
  const chosen = { color, welcome: changes.welcome, logo_hash }

  return sql.begin(async sql => {
    const workspace_id = await lockProgram(sql, program_id)
    const before = await findBranding(sql, program_id)
    const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
    const after: StoredBranding = { ...before, ...Object.fromEntries(given) }
    await sql`
      insert into program_brandings as stored (program_id, color, welcome, logo, logo_hash)
      values (
        ${program_id}, ${after.color}, ${after.welcome}, ${logo ?? null}, ${logo_hash ?? null}
      )
      on conflict (program_id) do update
      set
        color = excluded.color,
        welcome = excluded.welcome,
        logo = case when ${isLogoGiven} then excluded.logo else stored.logo end,
        logo_hash = case when ${isLogoGiven} then excluded.logo_hash else stored.logo_hash end,
        updated_at = now()
    `
    const details = differences(before, after)
    const change = { workspace_id, program_id, subject_id: program_id, details }
    await recordChange(sql, { ...change, action: "program.update_branding" })
    return after
  })
}

/** Partners read white text on the color. Throws "invalid", and names a color that passes. */
function refuseUnreadable(color: string) {
  if (isReadable(color)) return
  const contrast = Math.floor(contrastToWhite(color) * 100) / 100
  throw new Fault(
    "invalid",
    `color ${color} has a contrast of ${contrast} to white text, below 4.5. The nearest that passes is ${nearestReadable(color)}.`,
  )
}

import { differences, entryOf } from "../../../lib/record-change"
import type { Program } from "../contract"
import { sql } from "../db"
import { type Change, completeChange, completeOpenChange } from "./program-changes"
import { findProgram, findVersionedProgram, type VersionedProgram } from "./programs"
import { type Settings, settingsOf } from "./settings"
import { reserveSlug } from "./slugs"

/**
 * Changes a program to the fields that `decide` returns (null: nothing to change), here and in the
 * services that act on it, before it returns. Throws "conflict", and then nothing has changed.
 */
export async function changeProgram(
  program_id: number,
  action: "program.update" | "program.archive",
  decide: (program: Program) => Partial<Settings> | null,
): Promise<Program> {
  for (;;) {
    const program = await findVersionedProgram(program_id)
    const fields = decide(program)
    if (!fields) break

    const change = await propose(program, action, { ...settingsOf(program), ...fields })
    if (change) {
      await completeChange(change)
      break
    }
    await completeOpenChange(program_id) // another change comes first; then decide again
  }
  return findProgram(program_id)
}

/** Returns null if the program has changed meanwhile, or another change is open. */
async function propose(
  program: VersionedProgram,
  action: "program.update" | "program.archive",
  settings: Settings,
): Promise<Change | null> {
  const { id: program_id, workspace_id, version: last } = program
  const version = last + 1
  const details = differences(settingsOf(program), settings)
  const proposal = { workspace_id, program_id, action, subject_id: program_id }
  const entry = details && entryOf({ ...proposal, details })

  return sql.begin(async sql => {
    const stored = await sql`
      insert into program_changes (program_id, version, settings, entry)
      values (
        ${program_id}, ${version}, ${sql.json(settings)}, ${entry && sql.json(entry as never)}
      )
      on conflict do nothing -- this version was taken meanwhile, or another change is open
    `
    if (stored.count === 0) return null
    await reserveSlug(sql, settings.slug, program_id)
    return { program_id, workspace_id, version, settings }
  })
}

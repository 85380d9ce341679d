import type { Database } from "./database"

/**
 * Returns the number of the oldest migration whose code can run on a schema with this one. A
 * migration that only adds states it in its first line: "-- oldest compatible: 0007". Otherwise it
 * is the migration's own number, and older processes no longer start.
 */
export function oldestCompatibleOf(name: string, text: string): number {
  const [, stated] = /^-- oldest compatible: (\d{4})\n/.exec(text) ?? []
  return stated === undefined ? numberOf(name) : Number(stated)
}

/**
 * Throws if the schema is partly migrated, as after a partial restore, or if a newer version has
 * changed it incompatibly. `names` are the migrations of this code, in order.
 */
export async function refuseUnfitSchema(sql: Database, schema: string, names: string[]) {
  const applied = await sql<{ name: string; oldest_compatible: number | null }[]>`
    select name, oldest_compatible
    from migrations
    order by name
  `
  const isApplied = new Set(applied.map(({ name }) => name))
  const newest = names.findLast(name => isApplied.has(name)) ?? ""
  const missing = names.find(name => name < newest && !isApplied.has(name))
  if (missing) {
    throw new Error(
      `The schema ${schema} is partly migrated: it has ${newest}, but not ${missing}. ` +
        "Restore the whole schema.",
    )
  }

  const known = numberOf(names.at(-1) ?? "")
  for (const { name, oldest_compatible } of applied) {
    const oldest = oldest_compatible ?? numberOf(name) // null: applied before this was recorded
    if (oldest <= known) continue
    throw new Error(
      `The schema ${schema} has ${name}, which needs code with migration ${oldest}, ` +
        `but this version ends at ${known}. Start a newer version.`,
    )
  }
}

/** Throws if this code has migrations that the owner of the schema has yet to apply. */
export async function refuseUnmigratedSchema(sql: Database, schema: string, names: string[]) {
  const applied = await sql<{ name: string }[]>`select name from migrations`.catch(() => [])
  const isApplied = new Set(applied.map(({ name }) => name))
  const missing = names.find(name => !isApplied.has(name))
  if (!missing) return
  throw new Error(
    `The schema ${schema} lacks ${missing}, and this process may not migrate it. ` +
      "Run the image with SERVICE=migrate first.",
  )
}

const numberOf = (name: string) => Number.parseInt(name, 10) || 0

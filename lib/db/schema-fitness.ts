import type { Database } from "./database"

/**
 * The number of the oldest migration whose code may still run beside a schema that has this one. A
 * migration that only adds says so in its first line, "-- oldest compatible: 0007"; else it is its
 * own number, and a process of before it does not start again.
 */
export function oldestCompatibleOf(name: string, text: string): number {
  const [, stated] = /^-- oldest compatible: (\d{4})\n/.exec(text) ?? []
  return stated === undefined ? numberOf(name) : Number(stated)
}

/**
 * Refuses to start on a schema that is half migrated, as after a partial restore, or that a newer
 * version has changed in a way that this code cannot work with. `names` are the migrations that
 * this code knows, in their order.
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
      `The schema ${schema} is half migrated: it has ${newest}, but not ${missing}. ` +
        "Restore it as a whole.",
    )
  }

  const known = numberOf(names.at(-1) ?? "")
  for (const { name, oldest_compatible } of applied) {
    const oldest = oldest_compatible ?? numberOf(name) // null: of before this was recorded
    if (oldest <= known) continue
    throw new Error(
      `The schema ${schema} has ${name}, which needs code that knows migration ${oldest}: ` +
        `this one knows ${known}. Start the newer version.`,
    )
  }
}

const numberOf = (name: string) => Number.parseInt(name, 10) || 0

import type { Sql } from "postgres"

/**
 * Tables that may change after a refusal. The audit log is collected, and events are numbered, in the
 * background. A program change that another service refuses is kept as refused, because it has used
 * up a version.
 */
const EXCLUDED = [
  "identity.audit_entries",
  "identity.cursors",
  "identity.event_counters",
  "identity.event_numbers",
  "identity.program_changes",
]

/** Returns a function that counts the rows of each table that requests write. */
export async function countsOf(sql: Sql): Promise<() => Promise<string>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('identity', 'tracking', 'commissions')
      and relkind in ('r', 'p')
      and not relispartition
    order by name
  `
  const counted = tables.filter(({ name }) => !EXCLUDED.includes(name))
  const query = counted
    .map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`)
    .join(" union all ")
  return async () => {
    const counts = await sql.unsafe<{ name: string; rows: number }[]>(query)
    return counts.map(({ name, rows }) => `${name} ${rows}`).join("\n")
  }
}

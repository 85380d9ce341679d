import type { Sql } from "postgres"

/**
 * The log is collected when the service gets to it. A change that another service has refused stays
 * as refused: it has used up a version (services/identity/programs/program-changes.ts).
 */
const LEFT_OUT = ["identity.audit_entries", "identity.cursors", "identity.program_changes"]

/** Counts all rows that requests write. */
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
  const counted = tables.filter(({ name }) => !LEFT_OUT.includes(name))
  const query = counted
    .map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`)
    .join(" union all ")
  return async () => {
    const counts = await sql.unsafe<{ name: string; rows: number }[]>(query)
    return counts.map(({ name, rows }) => `${name} ${rows}`).join("\n")
  }
}

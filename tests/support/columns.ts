import type postgres from "postgres"

type Column = { schema: string; table: string; column: string }

type Sql = postgres.Sql<{ bigint: number }>

/** Everything that the services have stored, one line for each row. */
export async function dumpAllRows(sql: Sql): Promise<string> {
  const tables = new Set((await columnsOf(sql)).map(({ schema, table }) => `${schema}.${table}`))
  const texts: string[] = []
  for (const table of tables) {
    const rows = await sql<{ text: string }[]>`
      select stored::text as text
      from ${sql(table)} as stored
    `
    texts.push(...rows.map(row => row.text))
  }
  return texts.join("\n")
}

/** The columns of all services in which any row contains this text, whatever their type. */
export async function columnsContaining(sql: Sql, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { schema, table, column } of await columnsOf(sql)) {
    const [row] = await sql`
      select 1
      from ${sql(`${schema}.${table}`)}
      where position(${text} in ${sql(column)}::text) > 0
      limit 1
    `
    if (row) found.push(`${schema}.${table}.${column}`)
  }
  return found
}

const columnsOf = (sql: Sql) => sql<Column[]>`
  select table_schema as schema, table_name as table, column_name as column
  from information_schema.columns
  where table_schema in ('tracking', 'commissions', 'reporting', 'identity', 'delivery')
  order by 1, 2, 3
`

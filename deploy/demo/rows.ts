import type postgres from "postgres"

export type Sql = postgres.TransactionSql

/** Inserts rows that have the columns of the first one. They may bring ids of `reserveIds`. */
export async function insertRows(sql: Sql, table: string, rows: object[]) {
  const columns = Object.keys(rows[0] ?? {}).join(", ")
  await sql.unsafe(
    `insert into ${table} (${columns})
     overriding system value
     select ${columns}
     from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  )
}

/** Takes ids from a table's sequence, in ascending order. */
export async function reserveIds(sql: Sql, table: string, count: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::int as id
    from generate_series(1, ${count}::int)
  `
  return rows.map(({ id }) => id)
}

export const iso = (ms: number) => new Date(ms).toISOString()

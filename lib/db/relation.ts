import type { Database, Fragment, Transaction } from "./database"

type SqlType = "bigint" | "boolean" | "date" | "text" | "timestamptz"
type Columns<Row> = { readonly [Name in keyof Row]?: SqlType }

/**
 * Returns a function that turns rows into a relation, for `from`, or for a CTE. Each column is named
 * once, with its type; `position` is added, counting rows from 1.
 *
 *   const edgeRelation = relation<Edge>({ day: "date", first: "timestamptz" })
 *   sql`select day from ${edgeRelation(sql, edges)} as edge`
 *
 * Each column travels as one array; undefined becomes null. The relation selects one `unnest()` per
 * column: one `unnest()` of several arrays, in `from`, would first store each array in a relation of
 * its own and then join them.
 */
export function relation<Row>(columns: Columns<Row>) {
  const names = Object.keys(columns) as (keyof Row)[]
  const text = asTemplate([
    ...Object.entries(columns as Record<string, string>),
    ["position", "integer"],
  ])

  return (sql: Database | Transaction, rows: readonly Row[]): Fragment => {
    const values = names.map(name =>
      columns[name] === "boolean"
        ? rows.map(row => textOf(row[name]))
        : rows.map(row => row[name] ?? null),
    )
    const positions = rows.map((_, i) => i + 1)
    return sql(text, ...(values as never[]), positions) as Fragment
  }
}

/** The driver takes a list of booleans for a boolean. */
const textOf = (value: unknown) => (typeof value === "boolean" ? String(value) : null)

/** The fixed text around the parameters, in the form in which a tag receives its template. */
function asTemplate(columns: [name: string, type: string][]): TemplateStringsArray {
  const parts = ["(select unnest("]
  for (const [i, [name, type]] of columns.entries()) {
    parts.push(`::${type}[]) as ${name}${i < columns.length - 1 ? ", unnest(" : ")"}`)
  }
  return Object.assign(parts, { raw: parts })
}

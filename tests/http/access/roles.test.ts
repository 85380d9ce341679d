import { describe, expect, test } from "bun:test"
import { sql } from "../../support/world"

const SERVICES = ["tracking", "commissions", "reporting", "identity"]
const DENIED = "42501" // insufficient_privilege

type Table = { schema: string; name: string }

const tables = await sql<Table[]>`
  select nspname as schema, relname as name
  from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ${sql(SERVICES)}
    and relkind in ('r', 'p', 'v', 'm')
  order by nspname, relname
`

/** The code of the error that a statement ends in as the role of a service; null if in none. */
async function codeOf(service: string, statement: string): Promise<string | null> {
  const undone = new Error("undone")
  return sql
    .begin(async sql => {
      const [database] = await sql<[{ name: string }]>`select current_database() as name`
      await sql.unsafe(`set local role ${database.name}_${service}`)
      await sql.unsafe(statement)
      throw undone
    })
    .then(
      () => null,
      error => (error === undone ? null : error.code),
    )
}

describe.each(SERVICES)("the role of %s", service => {
  const [own, foreign] = [true, false].map(isOwn =>
    tables.filter(({ schema }) => (schema === service) === isOwn),
  ) as [Table[], Table[]]

  test("reads each of its own tables", async () => {
    expect(own.length).toBeGreaterThan(0)
    for (const { schema, name } of own) {
      expect(await codeOf(service, `select from ${schema}.${name} limit 1`), name).toBeNull()
    }
  })

  test("is refused every table of the others, by the database", async () => {
    expect(foreign.length).toBeGreaterThan(0)
    for (const { schema, name } of foreign) {
      const table = `${schema}.${name}`
      expect(await codeOf(service, `select from ${table} limit 1`), table).toBe(DENIED)
      expect(await codeOf(service, `delete from ${table} where false`), table).toBe(DENIED)
    }
  })

  test("owns nothing, and makes no table", async () => {
    const owned = await sql`
      select relname
      from pg_class
      join pg_roles on pg_roles.oid = relowner
      where rolname = current_database() || '_' || ${service}
    `
    expect(owned).toHaveLength(0)
    expect(await codeOf(service, `create table ${service}.mine (id int)`)).toBe(DENIED)
  })
})

describe("the role of commissions", () => {
  test.each(["ledger", "policies"])("only adds to %s", async table => {
    const name = `commissions.${table}`
    expect(await codeOf("commissions", `update ${name} set id = default`)).toBe(DENIED)
    expect(await codeOf("commissions", `delete from ${name}`)).toBe(DENIED)
    expect(await codeOf("commissions", `truncate ${name} cascade`)).toBe(DENIED)
    expect(await codeOf("commissions", `drop table ${name} cascade`)).toBe(DENIED)
  })
})

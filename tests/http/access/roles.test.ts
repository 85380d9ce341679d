import { describe, expect, test } from "bun:test"
import { sql } from "../../support/world"

const SERVICES = ["tracking", "commissions", "reporting", "identity", "delivery"]
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

/** Runs a statement as a service's role, then rolls back. Returns the error code, null if none. */
async function errorCodeOf(service: string, statement: string): Promise<string | null> {
  const rollback = new Error("rollback")
  return sql
    .begin(async sql => {
      const [database] = await sql<[{ name: string }]>`select current_database() as name`
      await sql.unsafe(`set local role ${database.name}_${service}`)
      await sql.unsafe(statement)
      throw rollback
    })
    .then(
      () => null,
      error => (error === rollback ? null : error.code),
    )
}

describe.each(SERVICES)("the role of %s", service => {
  const [own, foreign] = [true, false].map(isOwn =>
    tables.filter(({ schema }) => (schema === service) === isOwn),
  ) as [Table[], Table[]]

  test("reads each of its own tables", async () => {
    expect(own.length).toBeGreaterThan(0)
    for (const { schema, name } of own) {
      expect(await errorCodeOf(service, `select from ${schema}.${name} limit 1`), name).toBeNull()
    }
  })

  test("cannot read or delete from tables of other services", async () => {
    expect(foreign.length).toBeGreaterThan(0)
    for (const { schema, name } of foreign) {
      const table = `${schema}.${name}`
      expect(await errorCodeOf(service, `select from ${table} limit 1`), table).toBe(DENIED)
      expect(await errorCodeOf(service, `delete from ${table} where false`), table).toBe(DENIED)
    }
  })

  test("owns no table and cannot create one", async () => {
    const owned = await sql`
      select relname
      from pg_class
      join pg_roles on pg_roles.oid = relowner
      where rolname = current_database() || '_' || ${service}
    `
    expect(owned).toHaveLength(0)
    expect(await errorCodeOf(service, `create table ${service}.mine (id int)`)).toBe(DENIED)
  })
})

describe("the role of commissions", () => {
  test.each(["ledger", "policies"])("can only insert into %s", async table => {
    const name = `commissions.${table}`
    expect(await errorCodeOf("commissions", `update ${name} set id = default`)).toBe(DENIED)
    expect(await errorCodeOf("commissions", `delete from ${name}`)).toBe(DENIED)
    expect(await errorCodeOf("commissions", `truncate ${name} cascade`)).toBe(DENIED)
    expect(await errorCodeOf("commissions", `drop table ${name} cascade`)).toBe(DENIED)
  })
})

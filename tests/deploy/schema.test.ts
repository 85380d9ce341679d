import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { launch } from "../support/launcher"
import { stopTributary } from "../support/tributary-process"

const TIMEOUT_MS = 60_000
const MIGRATIONS = join(import.meta.dir, "../../services/commissions/migrations")
const FUTURE = "9999_future.sql" // from a future version
const FROM_0008 = readdirSync(MIGRATIONS)
  .filter(name => name >= "0008")
  .map(name => `('${name}')`)
  .join()
const SECRET_KEY = "one key for every start, since it opens what the first has sealed"

let DATABASE_URL: string
let sql: postgres.Sql

/** Creates a database that no process uses, on the server of a Tributary that keeps running. */
beforeAll(async () => {
  const host = await launch()
  await host.ready
  const { url } = await Bun.file(join(host.data_dir, "postgres.json")).json()
  const server = postgres(url, { max: 1 })
  await server`create database fitness`
  await server.end()
  DATABASE_URL = url.replace(/[^/]*$/, "fitness")
  sql = postgres(DATABASE_URL, { max: 1 })

  const first = await launch({ DATABASE_URL, SECRET_KEY })
  await first.ready
  await stopTributary(first)
}, TIMEOUT_MS)
afterAll(() => sql?.end())

describe("a schema", () => {
  test.each<[what: string, change: string, undo: string, sentence: RegExp]>([
    [
      "that is partly migrated",
      "delete from tracking.migrations where name like '0003_%'",
      "insert into tracking.migrations (name) values ('0003_audit_entries.sql')",
      /^The schema tracking is partly migrated: it has \S+, but not 0003_audit_entries\.sql\./,
    ],
    [
      "that requires newer code",
      `insert into commissions.migrations values ('${FUTURE}', 9998)`,
      `delete from commissions.migrations where name = '${FUTURE}'`,
      /^The schema commissions has 9999_future\.sql, which needs code with migration 9998, /,
    ],
    [
      "that is newer and does not name the oldest compatible code",
      `insert into reporting.migrations (name) values ('${FUTURE}')`,
      `delete from reporting.migrations where name = '${FUTURE}'`,
      /^The schema reporting has 9999_future\.sql, which needs code with migration 9999, /,
    ],
    [
      "whose migration fails",
      "delete from commissions.migrations where name >= '0008'",
      `insert into commissions.migrations (name) values ${FROM_0008}`,
      /^The migration \S+\.sql of commissions failed and was rolled back: .* already exists/,
    ],
  ])(
    "%s is refused with one sentence",
    async (_what, change, undo, sentence) => {
      await sql.unsafe(change)
      const launcher = await launch({ DATABASE_URL, SECRET_KEY })
      expect(await launcher.ended).toBe(1)
      expect(launcher.output()).toMatch(sentence)
      expect(launcher.output().trim().split("\n")).toHaveLength(1)
      await sql.unsafe(undo)
    },
    TIMEOUT_MS,
  )

  test(
    "that is newer but compatible is accepted",
    async () => {
      const [{ name } = { name: "" }] = await sql<{ name: string }[]>`
        select max(name) as name
        from tracking.migrations
      `
      const known = Number.parseInt(name, 10)
      await sql.unsafe(`insert into tracking.migrations values ('${FUTURE}', ${known})`)
      const launcher = await launch({ DATABASE_URL, SECRET_KEY })
      expect((await fetch(`${await launcher.ready}/status`)).status).toBe(200)
    },
    TIMEOUT_MS,
  )

  test("with two partners of one folded address keeps both, and folds one", async () => {
    await sql.unsafe(`
      begin;
      set local session_replication_role = replica;
      set local search_path = commissions;
      alter table partner_programs drop column email_folded;
      insert into partner_programs (program_id, partner_id, email, name, group_id)
      values (1, 1, 'ZOË@x', 'A', 1), (1, 2, e'zoe\\u0308@x', 'B', 1), (2, 3, 'zoë@x', 'C', 2);
    `)
    expect(await foldedIn(sql)).toEqual(["zoë@x", null, "zoë@x"])
    await sql`rollback`
  })

  test.each(["SQL_ASCII", "LATIN1"])("in %s has its partners' addresses folded", async encoding => {
    const name = encoding.toLowerCase()
    await sql.unsafe(
      `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    )
    const other = postgres(DATABASE_URL.replace(/[^/]*$/, name), { max: 1 })
    await other.unsafe(`
      create table partner_programs (id int, program_id int, email text);
      insert into partner_programs values (1, 1, 'ZOE@x'), (2, 1, 'ann@x'), (3, 2, 'zoe@x');
    `)
    expect(await foldedIn(other)).toEqual(["zoe@x", "ann@x", "zoe@x"])
    await other.end()
  })
})

/** Runs the migrations that fold addresses. Returns the folded addresses of all partners. */
async function foldedIn(sql: postgres.Sql) {
  for (const name of ["0005_folded_addresses.sql", "0006_fold_addresses.sql"]) {
    await sql.unsafe(await Bun.file(join(MIGRATIONS, name)).text())
  }
  const partners = await sql`
    select email_folded
    from partner_programs
    order by id
  `
  return partners.map(({ email_folded }) => email_folded)
}

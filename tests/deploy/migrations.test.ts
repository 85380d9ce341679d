import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { SERVICE_NAMES } from "../../deploy/part"

const root = join(import.meta.dir, "../..")

/**
 * The last migration of each service in the first release. Up to it, tables are empty and no older
 * version runs. Later migrations must keep the previous version working.
 */
const FIRST_RELEASE: Record<string, string> = {
  identity: "0004",
  commissions: "0004",
  tracking: "0011",
  reporting: "0004",
  delivery: "0001",
}

const TIMEOUT_MS = 120_000 // a process for each migration

/** Matters of taste, or ensured elsewhere: lib/db/migrate.ts sets the lock timeout. */
const EXCLUDED_RULES = [
  "prefer-bigint-over-int",
  "require-lock-timeout",
  "require-statement-timeout",
]

const later = SERVICE_NAMES.flatMap(name => {
  const folder = `services/${name}/migrations`
  return readdirSync(join(root, folder))
    .filter(file => file.slice(0, 4) > FIRST_RELEASE[name]!)
    .map(file => `${folder}/${file}`)
})

/** Returns the rules that squawk finds violated in a migration, which runs in one transaction. */
async function problemsIn(text: string): Promise<string[]> {
  const options = ["--assume-in-transaction", "--pg-version=15", "--reporter=json"]
  const child = Bun.spawn(
    ["node_modules/.bin/squawk", ...options, `--exclude=${EXCLUDED_RULES.join(",")}`],
    {
      cwd: root,
      stdin: new Blob([text.replaceAll(":role", "role_of_the_service")]),
      stdout: "pipe",
      stderr: "pipe",
    },
  )
  const [found, errors] = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  if (!found) throw new Error(errors)
  return JSON.parse(found).map(({ rule_name }: { rule_name: string }) => rule_name)
}

const { platform, arch } = process
const isInstalled = existsSync(join(root, `node_modules/@squawk-cli/${platform}-${arch}`))

describe.skipIf(!isInstalled)("a migration", () => {
  test.each([
    ["drops a column", "alter table sales drop column currency", "ban-drop-column"],
    ["renames a column", "alter table sales rename column currency to money", "renaming-column"],
    [
      "changes the type of a column",
      "alter table sales alter column id type text",
      "changing-column-type",
    ],
    [
      "requires a value that old code does not write",
      "alter table sales add column a int not null",
      "adding-",
    ],
    [
      "blocks writes while it builds an index",
      "create index on sales (id)",
      "require-concurrent-index-creation",
    ],
  ])("that %s is reported", async (_what, statement, rule) => {
    expect((await problemsIn(`${statement};\n`)).join()).toContain(rule)
  })

  test("that only adds a nullable column is accepted", async () => {
    const added = "alter table sales add column note text;\ngrant select on sales to :role;\n"
    expect(await problemsIn(added)).toEqual([])
  })

  test(
    "keeps the previous version working, or has `-- squawk-ignore` with a reason",
    async () => {
      for (const file of later) {
        expect(await problemsIn(await Bun.file(join(root, file)).text()), file).toEqual([])
      }
    },
    TIMEOUT_MS,
  )
})

import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { SERVICE_NAMES } from "../../deploy/part"

const root = join(import.meta.dir, "../..")

/**
 * The last migration of each service that no released version lacks: nothing runs beside them, and
 * their tables are empty. What comes after must leave the version before at work.
 */
const BEFORE_THE_FIRST_RELEASE: Record<string, string> = {
  identity: "0004",
  commissions: "0004",
  tracking: "0011",
  reporting: "0004",
}

/** Of taste, or kept elsewhere: no migration waits long for a lock (lib/migrate.ts). */
const NOT_ASKED = ["prefer-bigint-over-int", "require-lock-timeout", "require-statement-timeout"]

const later = SERVICE_NAMES.flatMap(name => {
  const folder = `services/${name}/migrations`
  return readdirSync(join(root, folder))
    .filter(file => file.slice(0, 4) > BEFORE_THE_FIRST_RELEASE[name]!)
    .map(file => `${folder}/${file}`)
})

/** What squawk finds in a migration, which runs in a transaction of its own. */
async function problemsIn(text: string): Promise<string[]> {
  const options = ["--assume-in-transaction", "--pg-version=15", "--reporter=json"]
  const child = Bun.spawn(
    ["node_modules/.bin/squawk", ...options, `--exclude=${NOT_ASKED.join(",")}`],
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
const isHere = existsSync(join(root, `node_modules/@squawk-cli/${platform}-${arch}`))

describe.skipIf(!isHere)("a migration", () => {
  test.each([
    ["drops a column", "alter table sales drop column currency", "ban-drop-column"],
    ["renames one", "alter table sales rename column currency to money", "renaming-column"],
    ["changes its type", "alter table sales alter column id type text", "changing-column-type"],
    ["wants a value of old writers", "alter table sales add column a int not null", "adding-"],
    [
      "stops writers while it builds",
      "create index on sales (id)",
      "require-concurrent-index-creation",
    ],
  ])("that %s is found", async (_what, statement, rule) => {
    expect((await problemsIn(`${statement};\n`)).join()).toContain(rule)
  })

  test("that adds what nobody has to know is not", async () => {
    const added = "alter table sales add column note text;\ngrant select on sales to :role;\n"
    expect(await problemsIn(added)).toEqual([])
  })

  test("leaves the version before at work, or says `-- squawk-ignore` and why", async () => {
    for (const file of later) {
      expect(await problemsIn(await Bun.file(join(root, file)).text()), file).toEqual([])
    }
  })
})

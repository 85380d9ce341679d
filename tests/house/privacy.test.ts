import { expect, test } from "bun:test"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const text = await Bun.file(join(root, "PRIVACY.md")).text()
const told = new Set(
  [...text.matchAll(/`((?:identity|tracking|commissions|reporting)\.\w+)`/g)].map(
    ([, table]) => table!,
  ),
)

/** The tables that migrations make, partitions and those of the migrations themselves apart. */
async function tables(): Promise<string[]> {
  const found: string[] = []
  for await (const file of new Bun.Glob("services/*/migrations/*.sql").scan(root)) {
    const service = file.split("/")[1]
    const sql = await Bun.file(join(root, file)).text()
    const made = sql.matchAll(/^create table (\w+)\b(?! partition of)/gm)
    found.push(...[...made].map(([, table]) => `${service}.${table}`))
  }
  return found
}

test("PRIVACY.md says of every table what is kept in it, and of no others", async () => {
  expect([...told].toSorted()).toEqual((await tables()).toSorted())
})

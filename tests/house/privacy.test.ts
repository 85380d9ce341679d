import { expect, test } from "bun:test"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const text = await Bun.file(join(root, "PRIVACY.md")).text()
const documented = new Set(
  [...text.matchAll(/`((?:identity|tracking|commissions|reporting|delivery)\.\w+)`/g)].map(
    ([, table]) => table!,
  ),
)

/** Returns the tables that migrations create, except partitions. */
async function tables(): Promise<string[]> {
  const found: string[] = []
  for await (const file of new Bun.Glob("services/*/migrations/*.sql").scan(root)) {
    const service = file.split("/")[1]
    const sql = await Bun.file(join(root, file)).text()
    const created = sql.matchAll(/^create table (\w+)\b(?! partition of)/gm)
    found.push(...[...created].map(([, table]) => `${service}.${table}`))
  }
  return found
}

test("PRIVACY.md lists every table, and no others", async () => {
  expect([...documented].toSorted()).toEqual((await tables()).toSorted())
})

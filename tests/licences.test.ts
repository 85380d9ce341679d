import { expect, test } from "bun:test"
import { join } from "node:path"
import { licences } from "../deploy/licences"

const ACCEPTED = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "ISC",
  "MIT",
  "MIT OR Apache-2.0",
  "PostgreSQL",
  "SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)",
  "Unlicense",
]
const written = await Bun.file(join(import.meta.dir, "../LICENCES.md")).text()

test("LICENCES.md names every package (npm run licences)", async () => {
  expect(written).toBe(await licences())
})

test("every licence is one that we accept", () => {
  const rows = [...written.matchAll(/^\| (\S+) \| \S+ \| (.+) \|$/gm)].filter(
    ([, name]) => name !== "package",
  )
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter(([, , licence]) => !ACCEPTED.includes(licence!))).toEqual([])
})

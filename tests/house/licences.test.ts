import { expect, test } from "bun:test"
import { join } from "node:path"
import { licences } from "../../deploy/licences"

// Each leaves Tributary free to use, change and pass on.
const ACCEPTED = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MIT OR Apache-2.0",
  "PostgreSQL",
  "SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)",
  "Unlicense",
]
// Python's: free as well, and asks those who pass such a package on to say what they changed. CC0
// gives up all rights.
const ACCEPTED_IN_DEVELOPMENT = [
  ...ACCEPTED,
  "(Apache-2.0 OR MIT)",
  "CC0-1.0",
  "MPL-2.0",
  "PSF-2.0",
]
const written = await Bun.file(join(import.meta.dir, "../../LICENCES.md")).text()

test("LICENCES.md names every package (npm run licences)", async () => {
  expect(written).toBe(await licences())
})

test.each([
  ["run time", written.split("## For development")[0]!, ACCEPTED],
  ["development", written.split("## For development")[1]!, ACCEPTED_IN_DEVELOPMENT],
])("every licence of a package for %s is accepted", (_what, table, accepted) => {
  const rows = [...table.matchAll(/^\| (\S+) \| \S+ \| (.+) \|$/gm)].filter(
    ([, name]) => name !== "package",
  )
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter(([, , licence]) => !accepted.includes(licence!))).toEqual([])
})

import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { testFiles } from "./files"

test("each test file of the repository is in exactly one suite", async () => {
  const { separateHttp, separatePages, ...files } = testFiles()
  const suites = Object.values(files)
  const all = suites.flat().toSorted()
  expect(new Set(all).size).toBe(all.length)
  for (const suite of suites) expect(suite).not.toBeEmpty()
  expect(files.http).toEqual(expect.arrayContaining(separateHttp))
  expect(files.pages).toEqual(expect.arrayContaining(separatePages))

  const listed = Bun.spawn(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts"],
    { cwd: join(import.meta.dir, "../.."), stderr: "ignore" },
  )
  const known = (await new Response(listed.stdout).text()).split("\n").filter(existsSync)
  if (known.length) expect(all).toEqual(known.map(path => `./${path}`).toSorted())
})

test("HTTP over NATS leaves out only files that start what they need", () => {
  const { http, separateHttp } = testFiles()
  expect(separateHttp).toContain("./tests/http/sales/sale.test.ts")
  expect(separateHttp).toContain("./tests/http/operations/set-aside.test.ts")
  expect(separateHttp).not.toContain("./tests/http/requests/limits-shared.test.ts")
  expect(http.length - separateHttp.length).toBeLessThan(10)
})

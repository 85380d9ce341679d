import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countsOf, failuresOf } from "./junit"

test("a report of bun's says what was run, and what each failed test said", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-junit-"))
  const [file, report] = [join(folder, "sample.test.ts"), join(folder, "report.xml")]
  await Bun.write(
    file,
    `import { beforeAll, describe, expect, test } from "bun:test"
    test("passes", () => {})
    test["skip"]("is left out", () => {}) // so written, as no test of ours may be
    describe("a 'group' & more", () => {
      test("<fails>", () => expect("one").toBe("two"))
      test("takes too long", () => Bun.sleep(500), 1)
      test("says nothing", () => { throw new Error("") })
    })
    describe("a group that is not prepared", () => {
      beforeAll(() => { throw new Error("no server") })
      test("is never run", () => {})
    })`,
  )
  const options = ["--reporter=junit", `--reporter-outfile=${report}`]
  await Bun.spawn([process.execPath, "test", ...options], { cwd: folder, stderr: "ignore" }).exited

  expect(countsOf(report)).toEqual({ passed: 1, failed: 4, skipped: 1 })
  expect(failuresOf(report)).toEqual([
    expect.stringMatching(
      /^\(fail\) sample\.test\.ts:5 a 'group' & more > <fails>\n.*"two".*"one"$/s,
    ),
    "(fail) sample.test.ts:6 a 'group' & more > takes too long\ntest timed out",
    "(fail) sample.test.ts:7 a 'group' & more > says nothing\nError",
    "(fail) sample.test.ts a group that is not prepared > (unnamed)\nno server",
  ])
  rmSync(folder, { recursive: true })
})

test("a report that was never written says nothing", () => {
  expect(countsOf("/nowhere.xml")).toBeNull()
  expect(failuresOf("/nowhere.xml")).toEqual([])
})

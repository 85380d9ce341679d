import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Count, NONE, type Suite } from "./count"
import { countsOf, failuresOf } from "./junit"
import { runBun } from "./run-bun"

const OPERATIONS_MS = 15 * 60_000

/** Types, style and unused code. */
export const checks = (): Suite[] => [
  check("Types", ["typescript/bin/tsc", "-p", "."]),
  check("Types of the browser script", ["typescript/bin/tsc", "-p", "gateway/service-tracker"]),
  check("Types of the browser tests", ["typescript/bin/tsc", "-p", "tests/browser"]),
  check("Style", ["@biomejs/biome/bin/biome", "check", "."]),
  check("Unused code", ["knip/bin/knip-bun.js"]),
]

const check = (title: string, [program, ...args]: string[]): Suite => ({
  title,
  async run(print) {
    const code = await runBun([join("node_modules", program!), ...args], { print })
    return code === 0 ? { ...NONE, passed: 1 } : failed(`${title}, see above`)
  },
})

/**
 * Tests in one process of bun. Counts what its report says; one that ends badly without a failed
 * test, or without a report, has failed.
 */
export const bunTests = (
  title: string,
  files: string[],
  environment: Record<string, string>,
): Suite => ({
  title,
  async run(print) {
    const folder = mkdtempSync(join(tmpdir(), "tributary-report-"))
    const report = join(folder, "junit.xml")
    const options = ["--reporter=junit", `--reporter-outfile=${report}`, "--timeout=20000"]
    const code = await runBun(["test", ...options, ...files], { print, environment })
    const counts = countsOf(report)
    const failures = failuresOf(report)
    rmSync(folder, { recursive: true })
    if (counts && (code === 0 || counts.failed > 0)) return { ...counts, failures }
    const sentence = `(fail) ${title}: it ended with ${code}, see above`
    return { ...NONE, ...counts, failed: 1, failures: [sentence] }
  },
})

/** Counts what its last line says. */
export const operations = (): Suite => ({
  title: "Growth, updates and restores on real servers, in short",
  async run(print) {
    let output = ""
    await runBun(["tests/operations/main.ts", "--short"], {
      print: text => {
        output += text
        print(text)
      },
      timeout: OPERATIONS_MS,
    })
    const [, passed, count] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
    if (!passed) return failed("Operations: it did not end, see above")
    const failures = Number(count) ? ["(fail) Operations, see above"] : []
    return { passed: Number(passed), failed: Number(count), skipped: 0, failures }
  },
})

const failed = (what: string): Count => ({ ...NONE, failed: 1, failures: [`(fail) ${what}`] })

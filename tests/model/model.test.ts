import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { WRONG_RULES } from "./rules"

const OPERATIONS = 1_500
const WRONG_OPERATIONS = 6_000 // at most: it ends with the first difference
const TIMEOUT_MS = 5 * 60_000

describe("A model of the specification", () => {
  test(
    "agrees with the whole system about every answer, book, list, report and notice",
    async () => {
      const { code, output } = await runModel(OPERATIONS)
      expect(output).toContain("The audit is clean.")
      expect(output).toMatch(/^15\d\d operations, 0 differences, [\d.]+ s$/m)
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )

  test.each(Object.keys(WRONG_RULES))(
    "differs if %s",
    async wrongRule => {
      const { code, output } = await runModel(
        WRONG_OPERATIONS,
        "--wrong-rule",
        wrongRule,
        "--stop-after",
        "1",
      )
      expect(output).toContain("\nDifference 1: ")
      expect(code).toBe(1)
    },
    TIMEOUT_MS,
  )
})

async function runModel(operations: number, ...options: string[]) {
  const command = [process.execPath, join(import.meta.dir, "main.ts")]
  const child = Bun.spawn([...command, "--operations", `${operations}`, ...options], {
    cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [output, errors] = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  return { code: await child.exited, output: `${output}${errors}` }
}

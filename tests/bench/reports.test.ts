import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const TIMEOUT_MS = 5 * 60_000
const CLICKS = 50_000 // a hundredth

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-bench-results-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe("npm run bench:reports", () => {
  test(
    "answers as the naive SQL does, and writes down what both took",
    async () => {
      const crowd = ["--warm-up", "1", "--seconds", "2", "--rate", "100"]
      const { code, output } = await bench("--clicks", `${CLICKS}`, "--repetitions", "1", ...crowd)
      expect({ code, output }).toEqual({ code: 0, output: expect.any(String) })

      const { rounds, crowds } = await Bun.file(join(folder, "reports.json")).json()
      expect(rounds).toMatchObject([
        { clicks: CLICKS / 5, applied: { events: expect.any(Number) } },
        { clicks: CLICKS, events: (CLICKS * 112) / 100 },
      ])
      for (const { name, pairs } of rounds[1].measured) {
        expect({ name, pairs }).toEqual({
          name: expect.any(String),
          pairs: [{ http_ms: NUMBER, sql_ms: NUMBER, naive_ms: NUMBER }],
        })
        const [{ sql_ms, naive_ms }] = pairs
        expect(Math.min(sql_ms, naive_ms), name).toBeGreaterThan(0) // the meter sees both
      }
      expect(crowds.at(-1).parts).toBe("one process")
      for (const { clicks_per_second, times } of crowds) {
        expect(clicks_per_second).toBeGreaterThan(0)
        expect(times.page_1).toEqual([{ answers: NUMBER, p50_ms: NUMBER, p99_ms: NUMBER }])
        expect(times.page_1[0].answers).toBeGreaterThan(0)
      }
      expect(await Bun.file(join(folder, "reports.md")).text()).toContain("| performance 90d |")
    },
    TIMEOUT_MS,
  )

  test("says what it needs of a number of clicks that it cannot spread", async () => {
    const { code, output } = await bench("--clicks", "7")
    expect(code).toBe(2)
    expect(output).toContain("--clicks must be a multiple")
  })
})

const NUMBER = expect.any(Number)

async function bench(...options: string[]) {
  const program = join(import.meta.dir, "../../bench/reports.ts")
  const child = Bun.spawn([process.execPath, program, ...options, "--folder", folder], {
    cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  return { code: await child.exited, output: output.join("") }
}

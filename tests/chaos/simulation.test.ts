import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { MUTATIONS } from "./simulation/mutations"

const SEEDS = 200
const TIMEOUT_MS = 20 * 60_000

describe("Money is counted exactly once", () => {
  test(
    `with lost and repeated messages and killed handlers, on ${SEEDS} seeds`,
    async () => {
      const { code, output } = await simulate("--seeds", `${SEEDS}`)
      expect(output).toContain(`${SEEDS} seeds from 1 pass`)
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    "and a seed replays the same history",
    async () => {
      const histories = await Promise.all(
        [1, 2].map(() => simulate("--seeds", "1", "--from", "13")),
      )
      const [one, other] = histories.map(({ output }) => /history (\w+)/.exec(output)?.[1])
      expect(one).toBeString()
      expect(other).toBe(one as string)
    },
    TIMEOUT_MS,
  )
})

describe("The simulation detects that", () => {
  test.each(Object.keys(MUTATIONS))(
    "%s",
    async mutation => {
      const { code, output } = await simulate("--seeds", `${SEEDS}`, "--mutation", mutation)
      expect(output).toMatch(/^Seed \d+ fails/m)
      expect(output).not.toContain("PostgresError") // an invariant fails, not the simulation
      expect(code).toBe(1)
    },
    TIMEOUT_MS,
  )
})

async function simulate(...options: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "simulate.ts"), ...options], {
    cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [output, errors] = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  return { code: await child.exited, output: `${output}${errors}` }
}

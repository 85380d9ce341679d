import { describe, expect, test } from "bun:test"
import { join } from "node:path"

const TIMEOUT_MS = 3 * 60_000

describe.skipIf(!Bun.which("nats-server"))("npm run chaos", () => {
  test(
    "--short: nothing is lost or duplicated, and each event is sent, when each part is killed with -9",
    async () => {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "chaos.ts"), "--short"], {
        cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
        stdio: ["ignore", "pipe", "pipe"],
      })
      const [output, errors] = await Promise.all(
        [child.stdout, child.stderr].map(stream => new Response(stream).text()),
      )
      expect(errors).toBe("")
      expect(output).toContain("\n0 lost, 0 duplicated; 12 of 12 faults passed, events out passed")
      expect(await child.exited).toBe(0)
    },
    TIMEOUT_MS,
  )
})

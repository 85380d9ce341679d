import { expect, test } from "bun:test"
import { join } from "node:path"

const TIMEOUT_MS = 3 * 60_000

test(
  "npm run fuzz: every route withstands a minute of hostile values",
  async () => {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "main.ts"), "--minutes", "1"],
      {
        cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
        stdio: ["ignore", "pipe", "pipe"],
      },
    )
    const [output, errors] = await Promise.all(
      [child.stdout, child.stderr].map(stream => new Response(stream).text()),
    )
    expect(errors).toBe("")
    expect(output).toEndWith(": 0 findings\n")
    expect(await child.exited).toBe(0)
  },
  TIMEOUT_MS,
)

import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeInBrowser } from "../support/browser"

const TIMEOUT_MS = 5 * 60_000
const CLICKS = 20_000 // a 250th

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-bench-pages-"))
})
afterAll(() => rm(folder, { recursive: true }))

describeInBrowser("npm run bench:pages", () => {
  test(
    "opens the pages, turns their pages by key, and writes down what both took",
    async () => {
      const options = ["--clicks", `${CLICKS}`, "--repetitions", "1", "--presses", "2"]
      const child = Bun.spawn(
        [process.execPath, "bench/pages.ts", ...options, "--folder", folder],
        { cwd: join(import.meta.dir, "../.."), stdio: ["ignore", "pipe", "pipe"] },
      )
      const output = await Promise.all(
        [child.stdout, child.stderr].map(stream => new Response(stream).text()),
      )
      expect({ code: await child.exited, output }).toEqual({ code: 0, output: expect.anything() })

      const { events, cost, views, use } = await Bun.file(join(folder, "pages.json")).json()
      expect(events).toBe((CLICKS * 112) / 100)
      expect(cost.build_ms).toBeGreaterThan(0)
      expect(views.length).toBeGreaterThanOrEqual(2)
      for (const { path, cold, warm, slow4G } of views) {
        for (const [load] of [cold, warm, slow4G]) {
          expect(load.lcp_ms, path).toBeGreaterThan(0)
        }
      }
      expect(use.changed_ms).toHaveLength(2)
      expect(Math.min(...use.changed_ms)).toBeGreaterThan(0)
      expect(await Bun.file(join(folder, "pages.md")).text()).toContain("| `/programs/:id` |")
    },
    TIMEOUT_MS,
  )
})

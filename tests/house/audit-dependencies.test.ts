import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const ADVISORIES = "/-/npm/v1/security/advisories/bulk"
const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

/**
 * Runs the check on copies of this repository's files, with package.json altered by `change`,
 * against a registry that replies `advice`. Null: it has no advisories.
 */
async function check(advice: (() => Response) | null, change = (text: string) => text) {
  const folder = await mkdtemp(join(tmpdir(), "tributary-audit-dependencies-"))
  folders.push(folder)
  const text = await Bun.file(join(root, "package.json")).text()
  await Bun.write(join(folder, "package.json"), change(text))
  await Bun.write(join(folder, "package-lock.json"), Bun.file(join(root, "package-lock.json")))

  const registry = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      advice && new URL(url).pathname === ADVISORIES ? advice() : new Response("", { status: 405 }),
  })
  const child = Bun.spawn([process.execPath, join(root, "deploy/audit-dependencies.ts")], {
    cwd: folder,
    env: { ...process.env, npm_config_registry: `http://localhost:${registry.port}` },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  const code = await child.exited
  await registry.stop(true)
  return { code, output: output.join("") }
}

const NONE_FOUND = "No package has a known vulnerability of high or critical severity."

const vulnerability = (severity: string) => () =>
  Response.json({
    pino: [
      {
        id: 1,
        url: "https://example.com/advisory",
        title: "A flaw",
        severity,
        vulnerable_versions: "*",
      },
    ],
  })

describe("npm run audit-dependencies", () => {
  test.each([
    ["no vulnerability", () => Response.json({}), 0, NONE_FOUND],
    ["a moderate vulnerability", vulnerability("moderate"), 0, NONE_FOUND],
    ["a severe vulnerability", vulnerability("high"), 1, "pino: high: A flaw"],
    ["a critical vulnerability", vulnerability("critical"), 1, "pino: critical: A flaw"],
    ["a registry without advisories", null, 0, "The registry returned no advisories"],
  ])("%s", async (_what, advice, code, sentence) => {
    const result = await check(advice)
    expect(result.output).toContain(sentence)
    expect(result.code).toBe(code)
  })

  test("fails if the lock file does not fit package.json", async () => {
    const withoutPino = (text: string) => text.replace(/"pino": ".*",/, "")
    const result = await check(() => Response.json({}), withoutPino)
    expect(result.output).toContain("lockfile had changes")
    expect(result.code).toBe(1)
  })
})

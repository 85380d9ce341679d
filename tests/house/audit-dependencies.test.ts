import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const ADVISORIES = "/-/npm/v1/security/advisories/bulk"
const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

/** Runs the check on this repository's files, changed as told, beside a registry that says so. */
async function check(advice: (() => Response) | null, change = (text: string) => text) {
  const folder = await mkdtemp(join(tmpdir(), "tributary-supply-"))
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
    ["a registry that tells of none", null, 0, "No registry told of vulnerabilities"],
  ])("%s", async (_what, advice, code, sentence) => {
    const checked = await check(advice)
    expect(checked.output).toContain(sentence)
    expect(checked.code).toBe(code)
  })

  test("fails where the lock file does not fit", async () => {
    const other = (text: string) => text.replace(/"pino": ".*",/, "")
    const checked = await check(() => Response.json({}), other)
    expect(checked.output).toContain("lockfile had changes")
    expect(checked.code).toBe(1)
  })
})

import { beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { keepBusy, launchAlone } from "./busy"
import { damage } from "./damage"

const TIMEOUT_MS = 60_000

let world: Awaited<ReturnType<typeof launchAlone>>
beforeAll(async () => {
  world = await launchAlone()
  await Promise.all([keepBusy(world), keepBusy(world)])
}, TIMEOUT_MS)

describe("npm run audit finds nothing", () => {
  test(
    "in a world that was busy",
    async () => {
      const { code, output } = await audit()
      expect(output).not.toContain("BROKEN")
      expect(output).toMatch(/Each balance is the sum of its ledger +[1-9]\d* rows {2}holds/)
      expect(output).toMatch(/Each sale and its commission name each other +40 rows {2}holds/)
      expect(output).toMatch(/Reporting has what the feeds of its owners say +\d{3} rows {2}holds/)
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    "while the world is busy",
    async () => {
      const [{ code, output }] = await Promise.all([audit(), keepBusy(world), keepBusy(world)])
      expect(output).not.toContain("BROKEN")
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )
})

test("npm run audit says what it needs where there is no database", async () => {
  const { code, output } = await audit({ DATA_DIR: "/nonexistent", DATABASE_URL: "", NATS_URL: "" })
  expect(code).toBe(1)
  expect(output).toContain("DATABASE_URL")
})

test(
  "npm run audit names every row that a superuser has damaged",
  async () => {
    const named = await damage(world.sql)
    const { code, output } = await audit()
    for (const [what, sentence] of Object.entries(named)) expect(output, what).toContain(sentence)
    expect(code).toBe(1)
  },
  TIMEOUT_MS,
)

/** As an operator runs it: over NATS where the world has one. */
async function audit(environment: Record<string, string> = {}) {
  const { data_dir } = world
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../deploy/audit.ts")], {
    cwd: join(import.meta.dir, ".."), // where bunfig.toml is
    env: {
      ...process.env,
      DATABASE_URL: "",
      DATA_DIR: data_dir,
      ...natsOf(data_dir),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  return { code: await child.exited, output: output.join("") }
}

function natsOf(data_dir: string): { NATS_URL: string } {
  const file = join(data_dir, "nats.conf")
  if (!existsSync(file)) return { NATS_URL: "" }
  const [, address, token] = /listen: "(.*)"[\s\S]*token: "(.*)"/.exec(readFileSync(file, "utf8"))!
  return { NATS_URL: `nats://${token}@${address}` }
}

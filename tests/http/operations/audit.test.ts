import { beforeAll, describe, expect, test } from "bun:test"
import { runAudit } from "../../support/commands"
import { damageRows } from "../../support/damage"
import { generateTraffic, launchOwnSystem } from "../../support/own-system"

const TIMEOUT_MS = 60_000

let system: Awaited<ReturnType<typeof launchOwnSystem>>
beforeAll(async () => {
  system = await launchOwnSystem()
  await Promise.all([generateTraffic(system), generateTraffic(system)])
}, TIMEOUT_MS)

describe("npm run audit finds nothing", () => {
  test(
    "after traffic",
    async () => {
      const { code, output } = await runAudit(system.data_dir)
      expect(output).not.toContain("violations:")
      expect(output).toMatch(
        /Each balance is the sum of its ledger entries +[1-9]\d* rows {2}holds/,
      )
      expect(output).toMatch(/Each sale and its commission name each other +40 rows {2}holds/)
      expect(output).toMatch(
        /Reporting has the feed "clicks" as its owner has it +[1-9]\d* rows {2}holds/,
      )
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    "during traffic",
    async () => {
      const [{ code, output }] = await Promise.all([
        runAudit(system.data_dir),
        generateTraffic(system),
        generateTraffic(system),
      ])
      expect(output).not.toContain("violations:")
      expect(code).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    "while clicks are not counted yet",
    async () => {
      await system.sql.begin(async sql => {
        await sql`lock table tracking.partner_programs in share mode`
        const [link] = await sql`select code from tracking.counted_links where clicks > 0 limit 1`
        const body = JSON.stringify({ affiliate_url: `https://shop.example/?aff=${link!.code}` })
        const clicked = await fetch(`${system.url}/api/v1/track/click`, { method: "POST", body })
        expect(clicked.status).toBe(200)
        const { code, output } = await runAudit(system.data_dir)
        expect(output).not.toContain("violations:")
        expect(code).toBe(0)
        expect(await sql`select from tracking.uncounted_clicks`).not.toBeEmpty()
      })
    },
    TIMEOUT_MS,
  )
})

test("npm run audit names DATABASE_URL where there is no database", async () => {
  const { code, output } = await runAudit("/nonexistent")
  expect(code).toBe(1)
  expect(output).toContain("DATABASE_URL")
})

test(
  "npm run audit names every row that a superuser has damaged",
  async () => {
    const named = await damageRows(system.sql)
    const { code, output } = await runAudit(system.data_dir)
    for (const [what, sentence] of Object.entries(named)) expect(output, what).toContain(sentence)
    expect(code).toBe(1)
  },
  TIMEOUT_MS,
)

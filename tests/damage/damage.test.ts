import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type postgres from "postgres"
import { runAudit } from "../support/commands"
import { AMOUNTS_DAMAGES } from "./amounts-damages"
import { cleanBooks } from "./clean-books"
import { COPIES_DAMAGES } from "./copies-damages"
import type { Damage } from "./damages"
import { DECISIONS_DAMAGES } from "./decisions-damages"
import { DELIVERY_DAMAGES } from "./delivery-damages"
import { LEDGER_DAMAGES } from "./ledger-damages"
import { REPORTING_DAMAGES } from "./reporting-damages"
import { SALES_DAMAGES } from "./sales-damages"
import { TRACKING_DAMAGES } from "./tracking-damages"

const TIMEOUT_MS = 120_000

let books: Awaited<ReturnType<typeof cleanBooks>>
beforeAll(async () => {
  books = await cleanBooks()
}, TIMEOUT_MS)
afterAll(() => books.stop(), TIMEOUT_MS)

const DAMAGES: Damage[] = [
  ...TRACKING_DAMAGES,
  ...SALES_DAMAGES,
  ...AMOUNTS_DAMAGES,
  ...LEDGER_DAMAGES,
  ...DECISIONS_DAMAGES,
  ...COPIES_DAMAGES,
  ...REPORTING_DAMAGES,
  ...DELIVERY_DAMAGES,
]

const violated = async () =>
  (await books.audit()).filter(({ count }) => count > 0).map(({ invariant }) => invariant)

const plant = ({ sql }: Damage) =>
  books.sql.begin(async transaction => {
    await transaction`set local session_replication_role = replica` // past triggers and references
    const result = await transaction.unsafe(sql)
    const last = "count" in result ? result : (result as postgres.RowList<never>[]).at(-1)
    return last!.count
  })

describe("the audit of the books", () => {
  test("finds nothing in clean books, and has rows for each invariant", async () => {
    const findings = await books.audit()
    expect(findings.flatMap(({ violations }) => violations)).toEqual([])
    expect(findings.length).toBeGreaterThan(50)
  })

  test("is tried with damage to each invariant, in at least 70 ways", async () => {
    const invariants = (await books.audit()).map(({ invariant }) => invariant)
    const tried = new Set(DAMAGES.map(({ invariant }) => invariant))
    expect(invariants.filter(invariant => !tried.has(invariant))).toEqual([])
    expect(DAMAGES.length).toBeGreaterThanOrEqual(70)
    expect(new Set(DAMAGES.map(({ damage }) => damage)).size).toBe(DAMAGES.length)
  })

  test.each(DAMAGES.map(damage => [damage.damage, damage] as const))(
    "finds %s, and nothing once it is undone",
    async (_name, damage) => {
      expect(await plant(damage)).toBeGreaterThan(0)
      expect(await violated()).toContain(damage.invariant)
      await books.restore()
      expect(await violated()).toEqual([])
    },
    TIMEOUT_MS,
  )

  test(
    "ends with each promise, and with how often and where it is broken",
    async () => {
      const [damage] = DAMAGES as [Damage]
      await plant(damage)
      const broken = await runAudit("", books.environment)
      await books.restore()
      const clean = await runAudit("", books.environment)

      expect(broken.code, broken.output).toBe(1)
      expect(broken.output).toMatch(
        new RegExp(`${damage.invariant} +\\d+ rows {2}violations: 1\n  `),
      )
      expect(clean.code, clean.output).toBe(0)
      expect(clean.output.trim().split("\n")).toSatisfy(lines =>
        lines.every(line => / +\d+ rows {2}holds$/.test(line)),
      )
    },
    TIMEOUT_MS,
  )
})

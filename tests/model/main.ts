import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { seededRandom } from "../../lib/random"
import { parseOrUsage } from "../support/usage"
import { startKills } from "./kills"
import { newReport } from "./report"
import { DAY_MS, rules, WRONG_RULES } from "./rules"
import { run } from "./run"
import { startSystem } from "./system"

const USAGE =
  "npm run model -- [--operations 10000] [--seed 1] [--from 2026-12-01] [--kill] [--stop-after 20] [--wrong-rule NAME]"
const FROM_HOUR_MS = 10 * 60 * 60_000

const options = parseOrUsage(USAGE, readOptions)
Object.assign(rules, WRONG_RULES[options.wrongRule ?? ""])
const { operations, seed, date, kill } = options
const report = newReport(
  `npm run model -- --operations ${operations} --seed ${seed} --from ${date}`,
)

const folder = mkdtempSync(join(tmpdir(), "tributary-model-"))
const system = await startSystem(folder, kill)
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => system.stop().finally(() => process.exit(1)))
}
try {
  const kills = kill ? startKills(folder, seededRandom(`${seed} kills`)) : null
  const settle = async () => {
    kills?.stop()
    await system.untilUp()
  }
  const from = Date.parse(date) + FROM_HOUR_MS
  await run({ operations, seed, from, stopAfter: options.stopAfter }, { ...system, report, settle })
  if (kills) console.log(`${kills.count()} processes were killed`)
  const audit = await system.audit()
  console.log(audit.code === 0 ? "The audit is clean." : `The audit found:\n${audit.output}`)
  if (audit.code !== 0) process.exitCode = 1
} finally {
  await system.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(report.summary())
process.exit(report.differences() > 0 ? 1 : process.exitCode)

function readOptions() {
  const { values } = parseArgs({
    options: {
      operations: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      from: { type: "string", default: tomorrow() },
      "stop-after": { type: "string", default: "20" },
      kill: { type: "boolean", default: false },
      "wrong-rule": { type: "string" },
    },
  })
  const { seed, from: date, kill, "stop-after": stop, "wrong-rule": wrongRule } = values
  const [operations, stopAfter] = [Number(values.operations), Number(stop)]
  if (!(operations >= 1 && stopAfter >= 1)) {
    throw new Error("--operations and --stop-after must be 1 or more.")
  }
  if (Number.isNaN(Date.parse(date))) throw new Error("--from must be a date.")
  if (wrongRule && !WRONG_RULES[wrongRule]) {
    throw new Error(`NAME is one of:\n  ${Object.keys(WRONG_RULES).join("\n  ")}`)
  }
  return { operations, seed, date, kill, stopAfter, wrongRule }
}

function tomorrow() {
  return new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
}

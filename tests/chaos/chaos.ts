import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parseOrUsage } from "../support/usage"
import { steps } from "./trial/clock"
import { diskFull } from "./trial/disk"
import type { Fault } from "./trial/fault"
import { freezes } from "./trial/freezes"
import { hangUps } from "./trial/hang-ups"
import { kills, killsOfOne } from "./trial/kills"
import { outages } from "./trial/outages"
import { hasPassed, isTried, type Result, summarize, writeReport } from "./trial/report"
import { setScene } from "./trial/scenes"
import { type Stage, StageUnavailable } from "./trial/stage"
import { type Pace, tryFault } from "./trial/trial"

const USAGE = "npm run chaos -- [--only PART-OF-A-NAME]… [--short] [--list]"
const OPTIONS = {
  only: { type: "string", multiple: true },
  short: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
} as const
const STAGES: Stage[] = ["machine", "network", "disk", "clock"]
const FULL: Pace = { warmUpMs: 2_000, holdMsMax: Infinity }
const SHORT: Pace = { warmUpMs: 500, holdMsMax: 1_500 }

const { only, short, list } = parseOrUsage(USAGE, () => parseArgs({ options: OPTIONS }).values)
const faults = selectFaults()
if (list) {
  for (const { name } of faults) console.log(name)
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), "tributary-chaos-"))
const startedAt = Date.now()
let tearDown: () => unknown = () => {}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await tearDown()
    process.exit(1)
  })
}

const results: Result[] = []
for (const stage of STAGES) await runStage(stage)
const tookSeconds = Math.round((Date.now() - startedAt) / 1_000)
const isSuccess = results.every(result => hasPassed(result, short))
if (!only && !short) writeReport(results, tookSeconds)
if (isSuccess) rmSync(folder, { recursive: true, force: true })
else console.log(`Journals and logs are kept in ${folder}`)
console.log(summary())
process.exit(isSuccess ? 0 : 1)

/** Tries the faults of one stage, one after the other, on one system. */
async function runStage(stage: Stage) {
  const stageFaults = faults.filter(fault => fault.stage === stage)
  if (stageFaults.length === 0) return

  const remaining = new Set(stageFaults)
  try {
    const { scene, end } = await setScene(stage, folder)
    tearDown = end
    for (const fault of stageFaults) {
      report(missingProgram(fault) ?? (await tryFault(fault, scene, short ? SHORT : FULL)))
      remaining.delete(fault)
    }
  } catch (error) {
    const not_tried = error instanceof Error ? error.message : `${error}`
    for (const { name } of remaining) {
      report({ fault: name, not_tried, is_excused: error instanceof StageUnavailable })
    }
  } finally {
    await tearDown()
    tearDown = () => {}
  }
}

function missingProgram({ name, requiredProgram }: Fault): Result | undefined {
  if (!requiredProgram || Bun.which(requiredProgram)) return
  return { fault: name, not_tried: `${requiredProgram} is not on PATH`, is_excused: true }
}

function report(result: Result) {
  results.push(result)
  console.log(`[${results.length}/${faults.length}] ${result.fault}: ${summarize(result)}`)
}

function summary(): string {
  const tried = results.filter(isTried)
  const total = (of: "lost" | "duplicated") => tried.reduce((sum, result) => sum + result[of], 0)
  const passed = results.filter(result => hasPassed(result, short)).length
  return (
    `${total("lost")} lost, ${total("duplicated")} duplicated; ` +
    `${passed} of ${results.length} faults passed (${tookSeconds} s).`
  )
}

/** Selects the faults that --only names. With --short only the kills and the hang-ups are tried. */
function selectFaults(): Fault[] {
  const all = short
    ? [...kills, hangUps]
    : [...kills, ...killsOfOne, ...freezes, ...outages, hangUps, diskFull, ...steps]
  const found = all.filter(({ name }) => !only || only.some(part => name.includes(part)))
  if (found.length > 0) return found
  console.error(`No fault has a name like this.\n${USAGE}`)
  process.exit(2)
}

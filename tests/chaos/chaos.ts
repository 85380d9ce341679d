import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parseOrUsage } from "../support/usage"
import { killsAndRestore, receiverFrozen, receiverKilled } from "./events-out/faults"
import { type EventsOutcome, proveEventsOut } from "./events-out/proof"
import { steps } from "./trial/clock"
import { diskFull } from "./trial/disk"
import type { Fault } from "./trial/fault"
import { freezes } from "./trial/freezes"
import { hangUps } from "./trial/hang-ups"
import { kills, killsOfOne } from "./trial/kills"
import { outages } from "./trial/outages"
import {
  hasPassed,
  isTried,
  type Result,
  summarize,
  summarizeEvents,
  writeReport,
} from "./trial/report"
import { setScene } from "./trial/scenes"
import { type Stage, StageUnavailable } from "./trial/stage"
import { type Pace, type Scene, tryFault } from "./trial/trial"

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
const eventsOut: EventsOutcome[] = [] // one of each stage with receivers
for (const stage of STAGES) await runStage(stage)
const tookSeconds = Math.round((Date.now() - startedAt) / 1_000)
const areEventsProven = eventsOut.every(({ shortfalls }) => shortfalls.length === 0)
const isSuccess = areEventsProven && results.every(result => hasPassed(result, short))
if (!only && !short) writeReport(results, eventsOut, tookSeconds)
if (isSuccess) rmSync(folder, { recursive: true, force: true })
else console.log(`Journals and logs are kept in ${folder}`)
console.log(summary())
process.exit(isSuccess ? 0 : 1)

/**
 * Tries the faults of one stage, one after the other, on one system. Then it proves what is promised of
 * the events that were sent meanwhile.
 */
async function runStage(stage: Stage) {
  const stageFaults = faults.filter(fault => fault.stage === stage)
  if (stageFaults.length === 0) return

  const remaining = new Set(stageFaults.map(({ name }) => name))
  try {
    const { scene, end } = await setScene(stage, folder)
    tearDown = end
    for (const fault of stageFaults) {
      report(missingProgram(fault) ?? (await tryFault(fault, scene, short ? SHORT : FULL)))
      remaining.delete(fault.name)
    }
    if (scene.system.receivers) {
      remaining.add(`events out of stage ${stage}`)
      await proveEvents(scene)
      remaining.clear()
    }
  } catch (error) {
    const not_tried = error instanceof Error ? error.message : `${error}`
    for (const name of remaining) {
      report({ fault: name, not_tried, is_excused: error instanceof StageUnavailable })
    }
  } finally {
    await tearDown()
    tearDown = () => {}
  }
}

async function proveEvents(scene: Scene) {
  const outcome = await proveEventsOut(scene, short)
  eventsOut.push(outcome)
  console.log(summarizeEvents(outcome))
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
    `${passed} of ${results.length} faults passed, ` +
    `events out ${areEventsProven ? "passed" : "FAILED"} (${tookSeconds} s).`
  )
}

/** Selects the faults that --only names. With --short only kills and the hang-ups are tried. */
function selectFaults(): Fault[] {
  const disturbed = [receiverKilled, ...(short ? [] : [receiverFrozen, killsAndRestore]), hangUps]
  const all = short
    ? [...kills, ...disturbed]
    : [...kills, ...killsOfOne, ...freezes, ...outages, ...disturbed, diskFull, ...steps]
  const found = all.filter(({ name }) => !only || only.some(part => name.includes(part)))
  if (found.length > 0) return found
  console.error(`No fault has a name like this.\n${USAGE}`)
  process.exit(2)
}

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parseOrUsage } from "../support/usage"
import { diskFull, NotHere } from "./trial/disk"
import type { Fault, Stage } from "./trial/fault"
import { freezes } from "./trial/freezes"
import { kills, killsOfOne } from "./trial/kills"
import { outages } from "./trial/outages"
import { isGood, isTried, line, type Result, write } from "./trial/report"
import { setScene } from "./trial/scenes"
import { type Pace, tryFault } from "./trial/trial"

const USAGE = "npm run chaos -- [--only PART-OF-A-NAME]… [--short] [--list]"
const OPTIONS = {
  only: { type: "string", multiple: true },
  short: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
} as const
const STAGES: Stage[] = ["machine", "network", "disk"]
const FULL: Pace = { calm_ms: 2_000, hold_ms_max: Infinity }
const SHORT: Pace = { calm_ms: 500, hold_ms_max: 1_500 }

const { only, short, list } = parseOrUsage(USAGE, () => parseArgs({ options: OPTIONS }).values)
const faults = chosen()
if (list) {
  for (const { name } of faults) console.log(name)
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), "tributary-chaos-"))
const began = Date.now()
let end: () => unknown = () => {}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await end()
    process.exit(1)
  })
}

const results: Result[] = []
for (const stage of STAGES) await play(stage)
const took_s = Math.round((Date.now() - began) / 1_000)
const is_good = results.every(result => isGood(result, short))
if (!only && !short) write(results, took_s)
if (is_good) rmSync(folder, { recursive: true, force: true })
else console.log(`What was sent and said is kept in ${folder}`)
console.log(summary())
process.exit(is_good ? 0 : 1)

/** Plays the faults of one stage, one after the other, on one system. */
async function play(stage: Stage) {
  const staged = faults.filter(fault => fault.stage === stage)
  if (staged.length === 0) return

  const left = new Set(staged)
  try {
    const set = await setScene(stage, folder)
    end = set.end
    for (const fault of staged) {
      tell(missing(fault) ?? (await tryFault(fault, set.scene, short ? SHORT : FULL)))
      left.delete(fault)
    }
  } catch (error) {
    const not_tried = error instanceof Error ? error.message : `${error}`
    for (const { name } of left) {
      tell({ fault: name, not_tried, is_excused: error instanceof NotHere })
    }
  } finally {
    await end()
    end = () => {}
  }
}

function missing({ name, needs }: Fault): Result | undefined {
  if (!needs || Bun.which(needs)) return
  return { fault: name, not_tried: `there is no ${needs} on PATH`, is_excused: true }
}

function tell(result: Result) {
  results.push(result)
  console.log(`[${results.length}/${faults.length}] ${result.fault}: ${line(result)}`)
}

function summary(): string {
  const tried = results.filter(isTried)
  const sum = (of: "lost" | "duplicated") => tried.reduce((sum, result) => sum + result[of], 0)
  const kept = results.filter(result => isGood(result, short)).length
  return (
    `${sum("lost")} lost, ${sum("duplicated")} duplicated; every promise was kept in ` +
    `${kept} of ${results.length} faults (${took_s} s).`
  )
}

/** The short version kills each part once, and forgives delays of less than a minute. */
function chosen(): Fault[] {
  const all = short ? kills : [...kills, ...killsOfOne, ...freezes, ...outages, diskFull]
  const found = all.filter(({ name }) => !only || only.some(part => name.includes(part)))
  if (found.length > 0) return found
  console.error(`No fault has such a name: ${USAGE}`)
  process.exit(2)
}

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import postgres from "postgres"
import { freePort } from "../../deploy/port"
import { startTributary, stopTributary } from "../support/tributary-process"
import { parseOrUsage } from "../support/usage"
import { type Finding, fuzz, type RouteStats } from "./fuzz"
import { residentMegabytes, steadiness } from "./memory"
import { documentOf } from "./report"
import type { Document } from "./requests"
import { responseChecker } from "./response-checker"
import { countsOf } from "./rows"

const USAGE = "npm run fuzz -- [--minutes 10] [--seed 1] [--report]"
const REPORT_MINUTES = 10 // from so many on a run is worth keeping
const PROGRESS_MS = 10_000

/** Throws everything at a Tributary of its own, and says which promises broke. */
const { minutes, seed, isKept } = parseOrUsage(USAGE, asked)
const folder = await mkdtemp(join(tmpdir(), "tributary fuzz "))
const launcher = startTributary({
  DATA_DIR: folder,
  PORT: String(await freePort()),
  LOG_LEVEL: "error",
})
const stop = async () => {
  await stopTributary(launcher)
  await rm(folder, { recursive: true, force: true })
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stop().finally(() => process.exit(1)))
}
try {
  process.exitCode = (await play()) ? 0 : 1
} finally {
  await stop()
}
process.exit()

async function play(): Promise<boolean> {
  const url = await launcher.ready
  const { url: database } = await Bun.file(join(folder, "postgres.json")).json()
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const judge = await responseChecker(url, await countsOf(sql))

  const began = Date.now()
  const megabytes: number[] = []
  let told = began
  let shown = 0
  const tell = (tried: Map<string, RouteStats>, finds: Finding[]) => {
    megabytes.push(residentMegabytes(launcher.pid))
    for (const { route, why, asked } of finds.slice(shown)) {
      console.log(`\n${route} ${why}\n  ${JSON.stringify(asked).slice(0, 600)}\n`)
    }
    shown = finds.length
    if (Date.now() - told < PROGRESS_MS) return
    told = Date.now()
    const seconds = Math.round((told - began) / 1_000)
    console.log(`${seconds} s: ${inputsOf(tried)} inputs, ${finds.length} finds`)
  }
  const until = began + minutes * 60_000
  const { tried, finds } = await fuzz(url, document, judge, { seed, until, tell })
  await sql.end()

  const memory = steadiness(megabytes)
  if (launcher.output().includes('"level":50')) console.log(launcher.output().slice(-4_000))
  console.log(`\n${memory.sentence}`)
  console.log(
    `${inputsOf(tried)} inputs to ${tried.size} routes, seed ${seed}: ${finds.length} finds`,
  )
  if (isKept) {
    const text = documentOf({ minutes, seed, tried, finds, memory: memory.sentence })
    await Bun.write(join(import.meta.dir, "../../bench/fuzz.md"), text)
  }
  return finds.length === 0 && memory.isFlat
}

function inputsOf(tried: Map<string, RouteStats>): number {
  return [...tried.values()].reduce((sum, { inputs }) => sum + inputs, 0)
}

function asked() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      report: { type: "boolean", default: false },
    },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  if (!(minutes > 0 && Number.isInteger(seed))) throw new Error("Both options take numbers.")
  return { minutes, seed, isKept: values.report || minutes >= REPORT_MINUTES }
}

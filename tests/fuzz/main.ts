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
const REPORT_MINUTES = 10 // shorter runs do not replace bench/fuzz.md
const PROGRESS_MS = 10_000

/** Starts a Tributary, fuzzes it and prints the findings. */
const { minutes, seed, isReported } = parseOrUsage(USAGE, readOptions)
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
  process.exitCode = (await run()) ? 0 : 1
} finally {
  await stop()
}
process.exit()

/** Returns whether there were no findings and memory did not grow. */
async function run(): Promise<boolean> {
  const url = await launcher.ready
  const { url: database } = await Bun.file(join(folder, "postgres.json")).json()
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const check = await responseChecker(url, await countsOf(sql))

  const startedAt = Date.now()
  const megabytes: number[] = []
  let printedAt = startedAt
  let printedCount = 0
  const report = (tried: Map<string, RouteStats>, findings: Finding[]) => {
    megabytes.push(residentMegabytes(launcher.pid))
    for (const { route, reason, request } of findings.slice(printedCount)) {
      console.log(`\n${route} ${reason}\n  ${JSON.stringify(request).slice(0, 600)}\n`)
    }
    printedCount = findings.length
    if (Date.now() - printedAt < PROGRESS_MS) return
    printedAt = Date.now()
    const seconds = Math.round((printedAt - startedAt) / 1_000)
    console.log(`${seconds} s: ${inputsOf(tried)} inputs, ${findings.length} findings`)
  }
  const until = startedAt + minutes * 60_000
  const { tried, findings } = await fuzz(url, document, check, { seed, until, report })
  await sql.end()

  const memory = steadiness(megabytes)
  if (launcher.output().includes('"level":50')) console.log(launcher.output().slice(-4_000))
  console.log(`\n${memory.sentence}`)
  console.log(
    `${inputsOf(tried)} inputs to ${tried.size} routes, seed ${seed}: ${findings.length} findings`,
  )
  if (isReported) {
    const text = documentOf({ minutes, seed, tried, findings, memory: memory.sentence })
    await Bun.write(join(import.meta.dir, "../../bench/fuzz.md"), text)
  }
  return findings.length === 0 && memory.isFlat
}

function inputsOf(tried: Map<string, RouteStats>): number {
  return [...tried.values()].reduce((sum, { inputs }) => sum + inputs, 0)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      report: { type: "boolean", default: false },
    },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  if (!(minutes > 0 && Number.isInteger(seed)))
    throw new Error("--minutes must be positive and --seed an integer.")
  return { minutes, seed, isReported: values.report || minutes >= REPORT_MINUTES }
}

import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parseOrUsage } from "../support/usage"
import { programOf } from "./programs"
import { type Stage, type Trial, Unavailable } from "./stage"
import { baseBackup, dump } from "./trials/backup"
import { fourReplicas } from "./trials/four-replicas"
import { natsCluster } from "./trials/nats-cluster"
import { ownServers } from "./trials/own-servers"
import { pgbouncer } from "./trials/pgbouncer"
import { previousCommit } from "./trials/previous-commit"
import { restoredAlone } from "./trials/restored-alone"
import { rollingRestart } from "./trials/rolling-restart"
import { standby } from "./trials/standby"

/**
 * `npm run test:operations`: verifies on real servers that Tributary scales without code changes,
 * and can be updated, backed up and restored.
 */
const USAGE = "npm run test:operations [-- --short] [--only TEXT-IN-NAME]…"
const TRIALS: Trial[] = [
  pgbouncer,
  ownServers,
  standby,
  natsCluster,
  fourReplicas,
  dump,
  baseBackup,
  restoredAlone,
  previousCommit,
  rollingRestart,
]

const OPTIONS = {
  only: { type: "string", multiple: true },
  short: { type: "boolean", default: false },
} as const

const { short, only } = parseOrUsage(USAGE, () => parseArgs({ options: OPTIONS }).values)
const root = mkdtempSync(join(tmpdir(), "tributary-operations-"))
const startedAt = Date.now()
let [passed, failed, skipped] = [0, 0, 0]
let ends: (() => unknown)[] = []
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => endAll().then(() => process.exit(1)))
}

for (const trial of selectedTrials()) await runTrial(trial)
if (failed === 0) rmSync(root, { recursive: true, force: true })
else console.log(`\nThe logs are in ${root}`)
console.log(
  `\n${Math.round((Date.now() - startedAt) / 1_000)} s${skipped ? `, ${skipped} skipped` : ""}`,
)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

async function runTrial(trial: Trial) {
  console.log(`\n== ${trial.name}`)
  const missing = trial.needs.filter(name => !programOf(name))
  if (missing.length > 0) return reportMissing(`${missing.join(", ")} not installed`)

  const folder = join(root, `${TRIALS.indexOf(trial)}`)
  mkdirSync(folder)
  try {
    await trial.run(stageIn(folder))
  } catch (error) {
    if (error instanceof Unavailable) skip(error.message)
    else verify("the trial completes", [error instanceof Error ? `${error.stack}` : `${error}`])
  } finally {
    await endAll()
  }
}

function stageIn(folder: string): Stage {
  return { folder, isShort: short, log, verify, onEnd: end => ends.push(end) }
}

function log(line: string) {
  console.log(`   ${line}`)
}

function verify(what: string, problems: string[]) {
  if (problems.length === 0) passed++
  else failed++
  console.log(problems.length === 0 ? `ok ${what}` : `FAILED ${what}`)
  for (const problem of problems) log(problem)
}

/** Fails on continuous integration, where every program must be installed. Elsewhere skips. */
function reportMissing(reason: string) {
  if (process.env.CI === "true") verify("the trial can run", [reason])
  else skip(reason)
}

function skip(reason: string) {
  skipped++
  console.log(`SKIPPED: ${reason}`)
}

async function endAll() {
  const lastFirst = ends.reverse()
  ends = []
  for (const end of lastFirst) await Promise.try(end).catch(error => log(`${error}`))
}

function selectedTrials(): Trial[] {
  const found = TRIALS.filter(({ name }) => !only || only.some(part => name.includes(part)))
  if (found.length > 0) return found
  console.error(`No trial has such a name.\n${USAGE}`)
  process.exit(2)
}

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
import { rollingRestart } from "./trials/rolling-restart"
import { standby } from "./trials/standby"

/**
 * `npm run test:operations`: tries on real servers that Tributary grows without a change of its
 * code, and can be updated, backed up and restored.
 */
const USAGE = "npm run test:operations [-- --short] [--only PART-OF-A-NAME]…"
const TRIALS: Trial[] = [
  pgbouncer,
  ownServers,
  standby,
  natsCluster,
  fourReplicas,
  dump,
  baseBackup,
  previousCommit,
  rollingRestart,
]

const OPTIONS = {
  only: { type: "string", multiple: true },
  short: { type: "boolean", default: false },
} as const

const { short, only } = parseOrUsage(USAGE, () => parseArgs({ options: OPTIONS }).values)
const root = mkdtempSync(join(tmpdir(), "tributary-operations-"))
const began = Date.now()
let [passed, failed, skipped] = [0, 0, 0]
let ends: (() => unknown)[] = []
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => endAll().then(() => process.exit(1)))
}

for (const trial of chosen()) await play(trial)
if (failed === 0) rmSync(root, { recursive: true, force: true })
else console.log(`\nWhat was said is kept in ${root}`)
console.log(
  `\n${Math.round((Date.now() - began) / 1_000)} s${skipped ? `, ${skipped} skipped` : ""}`,
)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

async function play(trial: Trial) {
  console.log(`\n== ${trial.name}`)
  const missing = trial.needs.filter(name => !programOf(name))
  if (missing.length > 0) return lack(`there is no ${missing.join(", no ")} here`)

  const folder = join(root, `${TRIALS.indexOf(trial)}`)
  mkdirSync(folder)
  try {
    await trial.run(stageIn(folder))
  } catch (error) {
    if (error instanceof Unavailable) skip(error.message)
    else verify("it came to its end", [error instanceof Error ? `${error.stack}` : `${error}`])
  } finally {
    await endAll()
  }
}

function stageIn(folder: string): Stage {
  return { folder, is_short: short, tell, verify, after: end => ends.push(end) }
}

function tell(line: string) {
  console.log(`   ${line}`)
}

function verify(what: string, shortfalls: string[]) {
  if (shortfalls.length === 0) passed++
  else failed++
  console.log(shortfalls.length === 0 ? `ok ${what}` : `FAILED ${what}`)
  for (const shortfall of shortfalls) tell(shortfall)
}

/** On continuous integration no program may be missing. */
function lack(what: string) {
  if (process.env.CI === "true") verify("it is tried", [what])
  else skip(what)
}

function skip(reason: string) {
  skipped++
  console.log(`SKIPPED: ${reason}`)
}

async function endAll() {
  const last_first = ends.reverse()
  ends = []
  for (const end of last_first) await Promise.try(end).catch(error => tell(`${error}`))
}

function chosen(): Trial[] {
  const found = TRIALS.filter(({ name }) => !only || only.some(part => name.includes(part)))
  if (found.length > 0) return found
  console.error(`Nothing has such a name: ${USAGE}`)
  process.exit(2)
}

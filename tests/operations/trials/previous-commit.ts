import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { randomText } from "../../../deploy/data-dir"
import { runLoad, verifyReports, verifyRows } from "../funnel"
import { startNats } from "../nats"
import { newPostgres } from "../postgres"
import { runProgram } from "../process"
import { type Stage, type Trial, Unavailable } from "../stage"
import { runSuite } from "../suite"
import { auditSystem, type System, startSystem } from "../system"
import { FAILURE_SHARE_MAX } from "../topology-trial"

const ROOT = join(import.meta.dir, "../../..")
const GIT = ["git", "-c", "safe.directory=*", "-C", ROOT]
const LOAD = { durationMs: 3_000, failureShareMax: FAILURE_SHARE_MAX }

/**
 * Runs the previous commit beside this one, on one database and bus: each must reply to the other.
 * The previous one starts first, so that this one migrates the schema while it runs.
 */
export const previousCommit: Trial = {
  name: "The previous commit beside this one",
  needs: ["nats-server", "git"],
  async run(stage) {
    const folder = join(stage.folder, "previous")
    const commit = await checkOut(stage, folder)
    const server = await newPostgres(stage, "postgres", "embedded")
    const nats = await startNats(stage, 1)
    stage.log(`commit ${commit}, ${nats.version}, ${server.version}`)
    const environment = {
      DATABASE_URL: server.url,
      NATS_URL: nats.url,
      SECRET_KEY: randomText(),
    }
    const previous = await startSystem(stage, "before", environment, folder)
    const system = await startSystem(stage, "now", environment)

    const through = (name: string, { url }: System) => runLoad(stage, name, { url, ...LOAD })
    const sent = [
      await through("through-the-previous", previous),
      await through("through-this", system),
    ]
    for (const run of sent) await verifyReports(stage, run)
    const requests = new Map(sent.flatMap(({ journal }) => [...journal.requests]))
    await verifyRows(stage, server.url, requests)
    await auditSystem(stage, system)
    if (stage.isShort) return
    await system.stop()
    await runSuite(stage, { servers: "", environment, databases: server.url })
  },
}

/** Extracts the previous commit, or the last if there are uncommitted changes. Returns its id. */
async function checkOut(stage: Stage, folder: string): Promise<string> {
  const isClean = git("status", "--porcelain", "--untracked-files=no") === ""
  const commit = git("rev-parse", "--short", isClean ? "HEAD^" : "HEAD")
  const archive = join(stage.folder, "previous.tar")
  mkdirSync(folder)
  await runProgram(stage, [...GIT, "archive", `--output=${archive}`, commit])
  await runProgram(stage, ["tar", "-x", "-f", archive, "-C", folder])
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  return commit
}

function git(...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync([...GIT, ...args], { stderr: "pipe" })
  if (!success) throw new Unavailable(`git ${args.join(" ")}: ${stderr.toString().trim()}`)
  return stdout.toString().trim()
}

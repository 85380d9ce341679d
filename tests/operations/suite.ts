import { openSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DIES_WITH_PARENT } from "../../deploy/unprivileged"
import { dependsOn } from "../suites/depends-on"
import { runAudit } from "../support/commands"
import type { Stage } from "./stage"
import { SECRET_KEY, verifyAudit } from "./system"
import type { Topology } from "./topology"

const TESTS = join(import.meta.dir, "..")
const HTTP_TESTS = join(TESTS, "http")
const FAILED = /^\(fail\) (.*)$/gm
const WRITES =
  /\b(insert into|update|delete from) ((tracking|commissions|reporting|identity|delivery)\.|\$\{)/

/**
 * Runs the HTTP suite on a topology, and audits the result. Skips files that start their own
 * system, since they do not test this one. Files that write to the tables directly leave
 * violations, so they run after the audit.
 */
export async function runSuite(stage: Stage, topology: Topology) {
  const { environment, excluded = {} } = topology
  for (const [file, reason] of Object.entries(excluded)) stage.log(`skipping ${file}: ${reason}`)
  const files = readdirSync(HTTP_TESTS, { recursive: true, encoding: "utf8" })
    .sort()
    .filter(
      name =>
        name.endsWith(".test.ts") &&
        !(name in excluded) &&
        dependsOn(join(HTTP_TESTS, name), isWorld),
    )
  const writesRows = (path: string) => WRITES.test(readFileSync(path, "utf8"))
  const writing = files.filter(name => dependsOn(join(HTTP_TESTS, name), writesRows))

  const others = files.filter(name => !writing.includes(name))
  await runFiles(stage, topology, "that only use HTTP", others)
  const audit = await runAudit(stage.folder, { LOG_LEVEL: "error", ...environment, NATS_URL: "" })
  verifyAudit(stage, audit)
  await runFiles(stage, topology, "that write to tables", writing)
}

async function runFiles(
  stage: Stage,
  { environment, databases }: Topology,
  which: string,
  files: string[],
) {
  const path = join(stage.folder, `suite of files ${which}.log`)
  const log = openSync(path, "w")
  const paths = files.map(file => `./tests/http/${file}`)
  const child = Bun.spawn(
    [...DIES_WITH_PARENT, process.execPath, "test", "--timeout=20000", ...paths],
    {
      cwd: join(TESTS, ".."),
      env: {
        ...process.env,
        PROCESSES: "separate",
        REPLICAS: environment.REPLICAS ?? "1",
        WORLD: JSON.stringify({ environment: { SECRET_KEY, ...environment }, databases }),
      },
      stdio: ["ignore", log, log],
    },
  )
  const hasPassed = (await child.exited) === 0
  const output = readFileSync(path, "utf8")
  const [, passed = "0"] = /^ *(\d+) pass$/m.exec(output) ?? []
  const failed = new Set([...output.matchAll(FAILED)].map(([, name]) => name!))
  const what = `HTTP suite: ${passed} tests of ${files.length} files ${which}`
  stage.verify(what, hasPassed ? [] : [...failed, `see ${path}`])
}

const isWorld = (path: string) => path === join(TESTS, "support/world.ts")

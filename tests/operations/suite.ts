import { openSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DIES_WITH_PARENT } from "../../deploy/unprivileged"
import { runAudit } from "../support/commands"
import type { Stage } from "./stage"
import { verifyAudit } from "./system"
import type { Topology } from "./topology"

const TESTS = join(import.meta.dir, "..")
const HTTP_TESTS = join(TESTS, "http")
const FAILED = /^\(fail\) (.*)$/gm
const WRITES = /\b(insert into|update|delete from) (tracking|commissions|reporting)\./

/**
 * The HTTP suite on a topology, and the audit of what it left there. Files that start a system of
 * their own, on servers of its own, would say nothing about this one. Those that write into the
 * tables themselves leave books that do not hold: they come after the audit.
 */
export async function runSuite(stage: Stage, topology: Topology) {
  const { environment, unfit = {} } = topology
  for (const [file, reason] of Object.entries(unfit)) stage.tell(`without ${file}: ${reason}`)
  const files = readdirSync(HTTP_TESTS, { recursive: true, encoding: "utf8" })
    .sort()
    .filter(name => name.endsWith(".test.ts") && !(name in unfit) && knows(name, isWorld))
  const isWriting = (path: string) => WRITES.test(readFileSync(path, "utf8"))
  const writing = files.filter(name => knows(name, isWriting))

  const asking = files.filter(name => !writing.includes(name))
  await runFiles(stage, topology, "that only ask", asking)
  const found = await runAudit(stage.folder, { LOG_LEVEL: "error", ...environment, NATS_URL: "" })
  verifyAudit(stage, found)
  await runFiles(stage, topology, "that write into tables, too", writing)
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
        WORLD: JSON.stringify({ environment, databases }),
      },
      stdio: ["ignore", log, log],
    },
  )
  const isGreen = (await child.exited) === 0
  const output = readFileSync(path, "utf8")
  const [, passed = "0"] = /^ *(\d+) pass$/m.exec(output) ?? []
  const failed = new Set([...output.matchAll(FAILED)].map(([, name]) => name!))
  const what = `HTTP suite: ${passed} tests of ${files.length} files ${which}`
  stage.verify(what, isGreen ? [] : [...failed, `see ${path}`])
}

const isWorld = (path: string) => path === join(TESTS, "support/world.ts")

/** Whether a file, or one that it imports, is such a one. */
function knows(name: string, isSuch: (path: string) => boolean): boolean {
  const seen = new Set<string>()
  const look = (path: string): boolean => {
    if (isSuch(path)) return true
    if (seen.has(path)) return false
    seen.add(path)
    const imports = readFileSync(path, "utf8").matchAll(
      /^(?:import|export|\}) .*from "(\.[^"]+)"$/gm,
    )
    return [...imports].some(([, file]) => look(`${join(dirname(path), file!)}.ts`))
  }
  return look(join(HTTP_TESTS, name))
}

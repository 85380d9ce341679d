import { openSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { BOUND } from "../../deploy/unprivileged"
import { audit } from "../commands"
import type { Stage } from "./stage"
import { verifyAudit } from "./system"
import type { Topology } from "./topology"

const TESTS = join(import.meta.dir, "..")
const FAILED = /^\(fail\) (.*)$/gm

/**
 * The HTTP suite on a topology, then the audit of all that it left there. Files that start a system
 * of their own, on servers of its own, would say nothing about this one.
 */
export async function runSuite(stage: Stage, { environment, databases, unfit = {} }: Topology) {
  for (const [file, reason] of Object.entries(unfit)) stage.tell(`without ${file}: ${reason}`)
  const files = sharingFiles().filter(file => !(file in unfit))
  const path = join(stage.folder, "suite.log")
  const log = openSync(path, "w")
  const child = Bun.spawn(
    [
      ...BOUND,
      process.execPath,
      "test",
      "--timeout=20000",
      ...files.map(file => `./tests/${file}`),
    ],
    {
      cwd: join(TESTS, ".."),
      env: {
        ...process.env,
        PROCESSES: "separate",
        REPLICAS: environment.REPLICAS ?? "2",
        WORLD: JSON.stringify({ environment, databases }),
      },
      stdio: ["ignore", log, log],
    },
  )
  const isGreen = (await child.exited) === 0
  const output = readFileSync(path, "utf8")
  const [, passed = "0"] = /^ *(\d+) pass$/m.exec(output) ?? []
  const failed = [...output.matchAll(FAILED)].map(([, name]) => name!)
  stage.verify(
    `HTTP suite: ${passed} tests in ${files.length} files`,
    isGreen ? [] : [...failed, "see suite.log"],
  )
  verifyAudit(
    stage,
    await audit(stage.folder, { LOG_LEVEL: "error", ...environment, NATS_URL: "" }),
  )
}

/** The test files that share one world, as they or what they import import it. */
const sharingFiles = () =>
  readdirSync(TESTS)
    .filter(name => name.endsWith(".test.ts"))
    .filter(name => knowsWorld(join(TESTS, name), new Set()))

function knowsWorld(path: string, seen: Set<string>): boolean {
  if (path === join(TESTS, "world.ts")) return true
  if (seen.has(path)) return false
  seen.add(path)
  const imports = readFileSync(path, "utf8").matchAll(/^(?:import|export|\}) .*from "(\.[^"]+)"$/gm)
  return [...imports].some(([, name]) => knowsWorld(`${join(dirname(path), name!)}.ts`, seen))
}

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countsOf, failuresOf } from "./house/junit"

type Count = { passed: number; failed: number; skipped: number }
const NONE: Count = { passed: 0, failed: 0, skipped: 0 }
const PASSED: Count = { ...NONE, passed: 1 }
const FAILED: Count = { ...NONE, failed: 1 }

const OPERATIONS_MS = 15 * 60_000

const root = join(import.meta.dir, "..")
const reports = mkdtempSync(join(tmpdir(), "tributary-reports-"))
const isOnPath = Boolean(Bun.which("nats-server"))
const failures: string[] = [] // told again at the end: thousands of lines may stand between
const isCI = process.env.CI === "true"

/**
 * `npm test`: the checks, then everything in one process, then HTTP again over NATS; where CI=true
 * also the short form of `npm run test:operations`.
 */
const counts = [
  await check("Types", ["typescript/bin/tsc", "--noEmit"]),
  await check("Style", ["@biomejs/biome/bin/biome", "check", "."]),
  await check("Unused code", ["knip/bin/knip-bun.js"]),
  await suite("Everything, in one process", [], { PROCESSES: "one" }),
  isOnPath
    ? await suite("HTTP again, in separate processes over NATS", ["./tests/http"], {
        PROCESSES: "separate",
        REPLICAS: "2",
      })
    : skip("HTTP again, in separate processes over NATS: there is no nats-server on PATH."),
  ...(isCI ? [await operations()] : []),
]
rmSync(reports, { recursive: true })

const total = (what: keyof Count) => counts.reduce((sum, count) => sum + count[what], 0)
const unforgiven = isCI ? total("skipped") : 0
const failed = total("failed") + unforgiven
if (failures.length) console.log(`\n${failures.join("\n\n")}`)
if (total("skipped")) console.log(`\n${total("skipped")} skipped`)
console.log(`${total("passed")} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

async function check(title: string, [program, ...args]: string[]): Promise<Count> {
  announce(title)
  const code = await run([join("node_modules", program!), ...args])
  if (code !== 0) failures.push(`(fail) ${title}, see above`)
  return code === 0 ? PASSED : FAILED
}

/** Counts what bun's report says; one that ends badly without a failed test, or without a report, has failed. */
async function suite(title: string, files: string[], environment: Record<string, string>) {
  announce(title)
  const report = join(reports, `${crypto.randomUUID()}.xml`)
  const options = ["--reporter=junit", `--reporter-outfile=${report}`, "--timeout=20000"]
  const code = await run(["test", ...options, ...files], environment)

  const counts = countsOf(report)
  failures.push(...failuresOf(report))
  if (counts && (code === 0 || counts.failed > 0)) return counts

  failures.push(`(fail) ${title}: it ended with ${code}, see above`)
  return { ...(counts ?? NONE), failed: 1 }
}

/** Counts what its last line says. */
async function operations(): Promise<Count> {
  announce("Growth, updates and restores on real servers, in short")
  const child = Bun.spawn([process.execPath, "tests/operations/main.ts", "--short"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: OPERATIONS_MS,
  })
  const decoder = new TextDecoder()
  let output = ""
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk)
    output += decoder.decode(chunk, { stream: true })
  }
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
  return passed ? { passed: Number(passed), failed: Number(failed), skipped: 0 } : FAILED
}

function skip(sentence: string): Count {
  announce(`SKIPPED: ${sentence}`)
  return { ...NONE, skipped: 1 }
}

function run(args: string[], environment: Record<string, string> = {}): Promise<number> {
  const env = { ...process.env, ...environment }
  const stdio: ["ignore", "inherit", "inherit"] = ["ignore", "inherit", "inherit"]
  return Bun.spawn([process.execPath, ...args], { cwd: root, env, stdio }).exited
}

function announce(title: string) {
  console.log(`\n== ${title}`)
}

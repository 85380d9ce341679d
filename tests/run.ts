import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countsOf, failuresOf } from "./house/junit"

type Count = { passed: number; failed: number; skipped: number }
const NONE: Count = { passed: 0, failed: 0, skipped: 0 }
const PASSED: Count = { ...NONE, passed: 1 }
const FAILED: Count = { ...NONE, failed: 1 }

const OPERATIONS_MS = 15 * 60_000

const QUICK = ["./tests/lib", "./tests/house", "./tests/http/sales", "./tests/http/commissions"]

const root = join(import.meta.dir, "..")
const reports = mkdtempSync(join(tmpdir(), "tributary-reports-"))
const failures: string[] = [] // repeated at the end: thousands of lines may stand between
const isCI = process.env.CI === "true"
const paths = process.argv.slice(2)

const counts = await (paths[0] === "--quick" ? quick() : paths[0] ? only(paths) : everything())
rmSync(reports, { recursive: true })

const total = (what: keyof Count) => counts.reduce((sum, count) => sum + count[what], 0)
const unforgiven = isCI ? total("skipped") : 0
const failed = total("failed") + unforgiven
if (failures.length) console.log(`\n${failures.join("\n\n")}`)
if (total("skipped")) console.log(`\n${total("skipped")} skipped`)
console.log(`${total("passed")} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

/** `npm test`. With CI=true it includes the short form of `npm run test:operations`. */
async function everything(): Promise<Count[]> {
  return [
    ...(await checks()),
    await suite("Everything, in one process", [], { PROCESSES: "one" }),
    Bun.which("nats-server")
      ? await suite("HTTP again, in separate processes over NATS", ["./tests/http"], {
          PROCESSES: "separate",
          REPLICAS: "2",
        })
      : skip("HTTP again, in separate processes over NATS: there is no nats-server on PATH."),
    ...(isCI ? [await operations()] : []),
  ]
}

/** `npm run test:quick`: the checks, the unit tests, and sales and commissions over HTTP. */
async function quick(): Promise<Count[]> {
  return [
    ...(await checks()),
    await suite("Unit tests and the money, in one process", QUICK, { PROCESSES: "one" }),
  ]
}

/** `npm test -- PATH…`: the tests of these files or folders. */
async function only(paths: string[]): Promise<Count[]> {
  return [await suite("In one process", paths.map(asPath), { PROCESSES: "one" })]
}

async function checks(): Promise<Count[]> {
  return [
    await check("Types", ["typescript/bin/tsc", "-p", "."]),
    await check("Types of the browser script", [
      "typescript/bin/tsc",
      "-p",
      "gateway/service-tracker",
    ]),
    await check("Types of the browser tests", ["typescript/bin/tsc", "-p", "tests/browser"]),
    await check("Style", ["@biomejs/biome/bin/biome", "check", "."]),
    await check("Unused code", ["knip/bin/knip-bun.js"]),
  ]
}

/** Bun takes a file or folder that begins with "./". Anything else is an option, or its value. */
function asPath(argument: string): string {
  return /^[./-]/.test(argument) || !existsSync(argument) ? argument : `./${argument}`
}

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

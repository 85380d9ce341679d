import { availableParallelism } from "node:os"
import { NONE, type Suite } from "./suites/count"
import { pathsOf, testFiles } from "./suites/files"
import { inLanes } from "./suites/lanes"
import { bunTests, checks, operations } from "./suites/suites"

/** Suites wait more than they compute, so more of them run at once than there are processors. */
const LANES = availableParallelism() + 1

const QUICK = ["./tests/lib", "./tests/house", "./tests/http/sales", "./tests/http/commissions"]

const isCI = process.env.CI === "true"
const paths = process.argv.slice(2)

const suites = paths[0] === "--quick" ? quick() : paths[0] ? only(paths) : everything()
const counts = await inLanes(suites, LANES)

const total = (what: "passed" | "failed" | "skipped") =>
  counts.reduce((sum, count) => sum + count[what], 0)
const unforgiven = isCI ? total("skipped") : 0
const failed = total("failed") + unforgiven
const failures = counts.flatMap(({ failures }) => failures) // again: thousands of lines may stand between
if (failures.length) console.log(`\n${failures.join("\n\n")}`)
if (total("skipped")) console.log(`\n${total("skipped")} skipped`)
console.log(`${total("passed")} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)

/**
 * `npm test`: the long suites first, so that no lane is left with one at the end. With CI=true it
 * includes the short form of `npm run test:operations`.
 */
function everything(): Suite[] {
  const { http, separateHttp, pages, separatePages, trials, deploy, others } = testFiles()
  return [
    ...checks(),
    overNats("HTTP", separateHttp),
    bunTests("HTTP, in one process", http, { PROCESSES: "one" }),
    overNats("Pages", separatePages),
    bunTests("Pages, in one process", pages, { PROCESSES: "one" }),
    bunTests("Trials", trials, { PROCESSES: "one" }),
    ...(isCI ? [operations()] : []),
    bunTests("Deployment", deploy, { PROCESSES: "one" }),
    bunTests("All other tests", others, { PROCESSES: "one" }),
  ]
}

/** `npm run test:quick`: the checks, the unit tests, and sales and commissions over HTTP. */
function quick(): Suite[] {
  return [
    bunTests("Unit tests and the money, in one process", QUICK, { PROCESSES: "one" }),
    ...checks(),
  ]
}

/** `npm test -- PATH…`: the tests of these files or folders. */
function only(paths: string[]): Suite[] {
  return [bunTests("In one process", pathsOf(paths), { PROCESSES: "one" })]
}

/** Two replicas of each part. */
function overNats(title: string, files: string[]): Suite {
  const full = `${title}, in separate processes over NATS`
  return Bun.which("nats-server")
    ? bunTests(full, files, { PROCESSES: "separate", REPLICAS: "2" })
    : skipped(`${full}: there is no nats-server on PATH.`)
}

function skipped(sentence: string): Suite {
  return { title: `SKIPPED: ${sentence}`, run: async () => ({ ...NONE, skipped: 1 }) }
}

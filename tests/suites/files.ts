import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { dependsOn } from "./depends-on"

const ROOT = join(import.meta.dir, "../..")
const TRIALS = /^tests\/(bench|chaos|fuzz|model)\//

/**
 * All test files of this repository: each is in exactly one of `http`, `pages`, `trials`, `deploy`
 * and `others`. `separateHttp` and `separatePages` are those that test separate processes as well.
 */
export function testFiles() {
  const files = folders().flatMap(folder => testsIn(folder).toSorted())
  const {
    http = [],
    pages = [],
    trials = [],
    deploy = [],
    others = [],
  } = Object.groupBy(files, suiteOf)
  return {
    http: http.map(asPath),
    separateHttp: http.filter(followsProcesses).map(asPath),
    pages: pages.map(asPath),
    separatePages: pages.filter(followsProcesses).map(asPath),
    trials: trials.map(asPath),
    deploy: deploy.map(asPath),
    others: others.map(asPath),
  }
}

const folders = () =>
  readdirSync(ROOT, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .map(({ name }) => name)

const testsIn = (folder: string) =>
  [...new Bun.Glob("**/*.test.ts").scanSync({ cwd: join(ROOT, folder) })].map(
    path => `${folder}/${path}`,
  )

/** Whether a file tests what PROCESSES says: others start what they need, and would only repeat themselves. */
const followsProcesses = (file: string): boolean =>
  dependsOn(join(ROOT, file), path =>
    /\bPROCESSES\b.*process\.env/.test(readFileSync(path, "utf8")),
  )

function suiteOf(path: string): "http" | "pages" | "trials" | "deploy" | "others" {
  if (path.startsWith("tests/http/")) return "http"
  if (path.startsWith("tests/pages/")) return "pages"
  if (TRIALS.test(path)) return "trials"
  return path.startsWith("tests/deploy/") ? "deploy" : "others"
}

/** The arguments of `npm test --` for bun: files, folders, options and their values. */
export const pathsOf = (given: string[]): string[] =>
  given.map(argument => (existsSync(argument) ? asPath(argument) : argument))

/** Bun takes a file or folder that begins with "./". Anything else would be a pattern to it. */
const asPath = (path: string) => (/^[./-]/.test(path) ? path : `./${path}`)

import type { Reply } from "./client"
import { show as describe } from "./match"
import type { Operation } from "./operations/operation"
import type { Program } from "./state"

const PROGRESS_MS = 3_000
const LINES_MAX = 10
const HISTORY_MAX = 12
const UNKNOWN_NAME = / (undefined|null|clk_none|0)$|^(click|key) $/
const REPLY_CHARACTERS_MAX = 2_000

export type Report = ReturnType<typeof newReport>

/** Counts operations and differences, and tells of them on the console. */
export function newReport(replay: string, log: (line: string) => void = console.log) {
  const startedAt = Date.now()
  let reportedAt = startedAt
  let operations = 0
  let found = 0
  const seconds = () => ((Date.now() - startedAt) / 1_000).toFixed(1)
  const summary = () => `${operations} operations, ${found} differences, ${seconds()} s`

  function show(program: Program, what: string, about: string[], lines: string[]) {
    found += 1
    log(`\nDifference ${found}: ${what} of program ${program.number} (id ${program.id})`)
    log(`Replay: ${replay}`)
    const related = program.journal.filter(entry =>
      entry.about.some(name => name === "program" || about.includes(name)),
    )
    for (const { number, line } of related.slice(-HISTORY_MAX)) log(`  [${number}] ${line}`)
    for (const line of lines) log(line.slice(0, REPLY_CHARACTERS_MAX))
  }

  return {
    summary,
    operations: () => operations,
    differences: () => found,

    count(program: Program, { kind, method, path, body, about }: Operation): number {
      const number = ++operations
      const line = `${kind}: ${method} ${path} ${JSON.stringify(body ?? {})}`
      const known = about.filter(name => !UNKNOWN_NAME.test(name))
      program.journal.push({ number, line, about: known })
      if (Date.now() - reportedAt > PROGRESS_MS) {
        reportedAt = Date.now()
        log(`${summary()} so far`)
      }
      return number
    },

    differ(program: Program, operation: Operation, number: number, reply: Reply, lines: string[]) {
      show(program, `operation ${number}, ${operation.kind},`, operation.about, [
        ...lines,
        `expected: ${operation.status} ${pretty(operation.expected)}`,
        `actual:   ${reply.status} ${JSON.stringify(reply.body)}`,
      ])
    },

    differIn(program: Program, what: string, lines: string[], about: string[] = []) {
      show(program, `after operation ${operations}, ${what}`, about, lines.slice(0, LINES_MAX))
    },
  }
}

const pretty = (expected: unknown) =>
  JSON.stringify(expected, (_, value) =>
    typeof value === "function" ? `<${describe(value)}>` : value,
  )

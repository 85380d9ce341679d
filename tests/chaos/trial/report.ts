import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { Outcome } from "./outcome"

/** A fault that was not tried, or not to its end. Excused: this machine cannot run it. */
type Untried = { fault: string; not_tried: string; is_excused: boolean }
export type Result = Outcome | Untried

export const isTried = (result: Result): result is Outcome => !("not_tried" in result)

/** Whether every requirement was met. Delays may be allowed, since the machine can be busy. */
export function hasPassed(result: Result, allowsDelays: boolean): boolean {
  if (!isTried(result)) return result.is_excused
  return result.shortfalls.length === 0 && (allowsDelays || result.delays.length === 0)
}

const COLUMNS: [title: string, of: (outcome: Outcome) => string | number][] = [
  ["acknowledged", ({ acknowledged }) => acknowledged],
  ["refused", ({ refused }) => refused],
  ["in doubt", ({ in_doubt }) => in_doubt],
  ["lost", ({ lost }) => lost],
  ["duplicated", ({ duplicated }) => duplicated],
  ["errors", ({ error_share }) => `${(error_share * 100).toFixed(1)} %`],
  ["p99 ms", ({ p99_ms }) => p99_ms],
  ["slowest ms", ({ slowest_ms }) => slowest_ms],
  ["recovery s", ({ recovery_s }) => recovery_s.toFixed(1)],
  ["memory growth MiB", ({ memory_growth_mib }) => memory_growth_mib],
  ["books", ({ is_audited }) => (is_audited ? "ok" : "VIOLATED")],
]

/** Summarizes a result in one line, and one more line for each requirement that was not met. */
export function summarize(result: Result): string {
  if (!isTried(result)) return `not tried: ${result.not_tried}`
  const { acknowledged, in_doubt, lost, duplicated, error_share, recovery_s } = result
  const figures = [
    `${acknowledged} acknowledged`,
    `${in_doubt} in doubt`,
    `${lost} lost`,
    `${duplicated} duplicated`,
    `${(error_share * 100).toFixed(1)} % errors`,
    `slowest reply ${result.slowest_ms} ms`,
    `recovered in ${recovery_s.toFixed(1)} s`,
  ]
  const failures = [...result.shortfalls, ...result.delays].map(failure => `    FAILED: ${failure}`)
  return [figures.join(", "), ...failures].join("\n")
}

/** Writes bench/chaos.md and bench/chaos.json. */
export function writeReport(results: Result[], took_s: number) {
  const folder = join(import.meta.dir, "../../../bench")
  mkdirSync(folder, { recursive: true })
  const facts = { date: new Date().toISOString(), processors: cpus().length, took_s }
  const json = JSON.stringify({ ...facts, results }, null, 2)
  writeFileSync(join(folder, "chaos.json"), `${json}\n`)
  writeFileSync(join(folder, "chaos.md"), page(results, facts))
}

type Facts = { date: string; processors: number; took_s: number }

const page = (results: Result[], { date, processors, took_s }: Facts) => `# Chaos on real processes

Two replicas of each part with NATS, PostgreSQL and Redis, under 60 clicks, 15 leads, 15 sales and
5 refunds per second. Clients repeat leads, sales and refunds that are in doubt. Written by
\`npm run chaos\` on ${date.slice(0, 10)}. The run took ${took_s} s on ${processors} processors,
which clients, servers and parts shared.

A request is in doubt if it got 500, 503 or no reply at least once. Errors and p99 cover the
requests between the fault and the recovery. The recovery ends when the last request that failed
was sent. It begins when a part is killed, when a frozen part has been replaced, or when NATS or
PostgreSQL accepts connections again.

| fault | ${COLUMNS.map(([title]) => title).join(" | ")} |
|---|${COLUMNS.map(() => "---:|").join("")}
${results.map(row).join("\n")}

${verdictOf(results)}
`

function row(result: Result): string {
  if (!isTried(result)) return `| ${result.fault} | not tried: ${result.not_tried} |`
  return `| ${result.fault} | ${COLUMNS.map(([, of]) => of(result)).join(" | ")} |`
}

function verdictOf(results: Result[]): string {
  const untried = results.filter(result => !isTried(result) && !result.is_excused)
  if (untried.length > 0) return "The run is incomplete."
  const failures = results
    .filter(isTried)
    .flatMap(({ fault, shortfalls }) => shortfalls.map(shortfall => `- ${fault}: ${shortfall}`))
  return failures.length === 0 ? "Every fault passed." : `Failures:\n\n${failures.join("\n")}`
}

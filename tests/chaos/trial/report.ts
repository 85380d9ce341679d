import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { Outcome } from "./outcome"

/** Why a fault was not tried, or not to its end: excused where this machine does not allow it. */
type Untried = { fault: string; not_tried: string; is_excused: boolean }
export type Result = Outcome | Untried

export const isTried = (result: Result): result is Outcome => !("not_tried" in result)

/** Whether every promise was kept. A machine that does much else may be forgiven delays. */
export function isGood(result: Result, forgives_delays: boolean): boolean {
  if (!isTried(result)) return result.is_excused
  return result.shortfalls.length === 0 && (forgives_delays || result.delays.length === 0)
}

const COLUMNS: [title: string, of: (outcome: Outcome) => string | number][] = [
  ["acknowledged", ({ acknowledged }) => acknowledged],
  ["refused", ({ refused }) => refused],
  ["in doubt", ({ in_doubt }) => in_doubt],
  ["lost", ({ lost }) => lost],
  ["duplicated", ({ duplicated }) => duplicated],
  ["errors meanwhile", ({ error_share }) => `${(error_share * 100).toFixed(1)} %`],
  ["p99 ms", ({ p99_ms }) => p99_ms],
  ["slowest ms", ({ slowest_ms }) => slowest_ms],
  ["s to recover", ({ recovery_s }) => recovery_s.toFixed(1)],
  ["MiB grown", ({ memory_growth_mib }) => memory_growth_mib],
  ["audit", ({ is_audited }) => (is_audited ? "holds" : "BROKEN")],
]

/** One line for the screen. */
export function line(result: Result): string {
  if (!isTried(result)) return `not tried here: ${result.not_tried}`
  const { acknowledged, in_doubt, lost, duplicated, error_share, recovery_s } = result
  const figures = [
    `${acknowledged} acknowledged`,
    `${in_doubt} in doubt`,
    `${lost} lost`,
    `${duplicated} duplicated`,
    `${(error_share * 100).toFixed(1)} % errors`,
    `${result.slowest_ms} ms the slowest`,
    `${recovery_s.toFixed(1)} s to recover`,
  ]
  const missed = [...result.shortfalls, ...result.delays].map(
    shortfall => `    SHORT: ${shortfall}`,
  )
  return [figures.join(", "), ...missed].join("\n")
}

/** Writes bench/chaos.md and bench/chaos.json. */
export function write(results: Result[], took_s: number) {
  const folder = join(import.meta.dir, "../../../bench")
  mkdirSync(folder, { recursive: true })
  const facts = { date: new Date().toISOString(), processors: cpus().length, took_s }
  const json = JSON.stringify({ ...facts, results }, null, 2)
  writeFileSync(join(folder, "chaos.json"), `${json}\n`)
  writeFileSync(join(folder, "chaos.md"), page(results, facts))
}

type Facts = { date: string; processors: number; took_s: number }

const page = (results: Result[], { date, processors, took_s }: Facts) => `# Chaos on real processes

Two of each part over NATS, PostgreSQL and Redis, under 60 clicks, 15 leads, 15 sales and 5 refunds a
second, with clients that repeat what was left in doubt. Written by \`npm run chaos\` on
${date.slice(0, 10)}, in ${took_s} s, on ${processors} processors that it shared with all of that.

"In doubt" were answered 503 or 500, or not at all, at least once. "Errors meanwhile" are of the
requests between the fault and the recovery, and so is p99. Recovery counts until the last request
that failed was sent: from the kill of a part, from the end of a frozen one that is replaced, and
from when NATS or PostgreSQL accept again.

| fault | ${COLUMNS.map(([title]) => title).join(" | ")} |
|---|${COLUMNS.map(() => "---:|").join("")}
${results.map(row).join("\n")}

${verdictOf(results)}
`

function row(result: Result): string {
  if (!isTried(result)) return `| ${result.fault} | not tried here: ${result.not_tried} |`
  return `| ${result.fault} | ${COLUMNS.map(([, of]) => of(result)).join(" | ")} |`
}

function verdictOf(results: Result[]): string {
  const untried = results.filter(result => !isTried(result) && !result.is_excused)
  if (untried.length > 0) return "It came to no end."
  const short = results
    .filter(isTried)
    .flatMap(({ fault, shortfalls }) => shortfalls.map(shortfall => `- ${fault}: ${shortfall}`))
  return short.length === 0 ? "Every promise was kept." : `Fell short:\n\n${short.join("\n")}`
}

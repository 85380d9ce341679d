import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { EventsOutcome } from "../events-out/proof"
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

/** Summarizes what became of the events of a stage, as `summarize` does. */
export function summarizeEvents(outcome: EventsOutcome): string {
  const figures = EVENT_COLUMNS.map(([title, of]) => `${of(outcome)} ${title}`)
  const failures = outcome.shortfalls.map(failure => `    FAILED: ${failure}`)
  return [`events out of stage ${outcome.stage}: ${figures.join(", ")}`, ...failures].join("\n")
}

const EVENT_COLUMNS: [title: string, of: (outcome: EventsOutcome) => string | number][] = [
  ["events", ({ events }) => events],
  ["delivered", ({ delivered }) => delivered],
  ["failed", ({ failed }) => failed],
  ["requests", ({ requests }) => requests],
  ["cut off", ({ cut }) => cut],
  ["s until the latest was tried again", ({ retried_s_max }) => retried_s_max.toFixed(1)],
]

/** Writes bench/chaos.md and bench/chaos.json. */
export function writeReport(results: Result[], events_out: EventsOutcome[], took_s: number) {
  const folder = join(import.meta.dir, "../../../bench")
  mkdirSync(folder, { recursive: true })
  const facts = { date: new Date().toISOString(), processors: cpus().length, took_s }
  const json = JSON.stringify({ ...facts, results, events_out }, null, 2)
  writeFileSync(join(folder, "chaos.json"), `${json}\n`)
  writeFileSync(join(folder, "chaos.md"), page(results, events_out, facts))
}

type Facts = { date: string; processors: number; took_s: number }

const page = (
  results: Result[],
  eventsOut: EventsOutcome[],
  { date, processors, took_s }: Facts,
) => `# Chaos on real processes

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

## Events out

Meanwhile four receivers got webhooks: one of all events, which answers at once, one that faults also
killed and froze, one that takes 1.5 s, and one that fails some attempts, or all of an event. After the
faults of a stage it is proven that each event that was committed, and no other, is in the event log once
and without a gap, and is delivered or failed at each endpoint that subscribes to it; that each request
had the bytes of the log and a valid signature; that no event was attempted twice at once; and that what
a killed replica had begun was tried again within 60 s.

| stage | ${EVENT_COLUMNS.map(([title]) => title).join(" | ")} |
|---|${EVENT_COLUMNS.map(() => "---:|").join("")}
${eventsOut.map(eventsRow).join("\n")}

${verdictOf(results, eventsOut)}
`

function row(result: Result): string {
  if (!isTried(result)) return `| ${result.fault} | not tried: ${result.not_tried} |`
  return `| ${result.fault} | ${COLUMNS.map(([, of]) => of(result)).join(" | ")} |`
}

const eventsRow = (outcome: EventsOutcome) =>
  `| ${outcome.stage} | ${EVENT_COLUMNS.map(([, of]) => of(outcome)).join(" | ")} |`

function verdictOf(results: Result[], eventsOut: EventsOutcome[]): string {
  const untried = results.filter(result => !isTried(result) && !result.is_excused)
  if (untried.length > 0) return "The run is incomplete."
  const failures = [
    ...results.filter(isTried),
    ...eventsOut.map(outcome => ({ ...outcome, fault: `events out of stage ${outcome.stage}` })),
  ].flatMap(({ fault, shortfalls }) => shortfalls.map(shortfall => `- ${fault}: ${shortfall}`))
  return failures.length === 0 ? "Every fault passed." : `Failures:\n\n${failures.join("\n")}`
}

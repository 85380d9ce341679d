import { rounded } from "../reports/applying"
import { median, quantile } from "../reports/quantile"
import type { Cost } from "./cost"
import type { Narrowed } from "./narrowed"
import type { Record } from "./site"
import type { Use } from "./use"
import type { Views } from "./views"

export type PageResults = {
  at: string
  machine: string
  chromium: string
  events: number
  cost: Cost
  views: Views[]
  use: Use
  narrowed: Narrowed[]
}

const BARS = { cold: 1_000, warm: 500, slow4G: 1_500, cls: 0.02, changed: 250, inp: 100 }
const BUILD_MAX_MS = 150
const MEMORY_MAX_MB = 25

/** The results as a Markdown document. */
export function renderPages({
  at,
  machine,
  chromium,
  events,
  cost,
  views,
  use,
  narrowed,
}: PageResults): string {
  return `# Pages, in a slow browser

${rounded(events)} events of one program, ${at.slice(0, 10)}. ${machine} Chromium ${chromium}, its processor throttled
four times. Browser, gateway, services and PostgreSQL share the machine. Medians of
${views[0]?.cold.length ?? 0} loads, with the range in brackets. Slow 4G is 1.6 Mbit/s and 150 ms.

## First view

LCP is the largest contentful paint, CLS the cumulative layout shift of all loads at their worst.

| screen | LCP, cold (goal ${seconds(BARS.cold)}) | LCP, warm (goal ${seconds(BARS.warm)}) | LCP, slow 4G (goal ${seconds(BARS.slow4G)}) | CLS (goal ${BARS.cls}) |
|---|---|---|---|---|
${views.map(rowOf).join("\n")}

## Use

| what | measured | goal |
|---|---|---|
| from key to changed rows, p95 of ${use.changed_ms.length} | ${rounded(quantile(use.changed_ms, 0.95))} ms (median ${rounded(median(use.changed_ms))}) | ${BARS.changed} ms |
| slowest interaction (INP) | ${rounded(use.inp_ms)} ms | ${BARS.inp} ms |
| longest task while turning pages | ${rounded(use.longest_task_ms)} ms | 100 ms |

## Narrowed lists of events

Milliseconds of one page of 50 over HTTP beside the same page without the filter, in turn, medians. The goal is
twice as long at most.

| list | events that match | without | narrowed | times |
|---|---:|---:|---:|---:|
${narrowed.map(timesOf).join("\n")}

## What the pages add to a gateway

| what | measured | goal |
|---|---|---|
| time to build and compress all files | ${rounded(cost.build_ms)} ms | ${BUILD_MAX_MS} ms |
| memory that stays | ${rounded(cost.memory_mb)} MB | ${MEMORY_MAX_MB} MB |
| all files, compressed | ${rounded(cost.gzip_bytes / 1_000)} kB | 240 kB |
`
}

const timesOf = ({ name, rows, plain_ms, narrowed_ms }: Narrowed) =>
  `| ${name} | ${rounded(rows)} | ${plain_ms.toFixed(1)} | ${narrowed_ms.toFixed(1)} | ${(narrowed_ms / plain_ms).toFixed(1)} |`

function rowOf({ path, ...loads }: Views): string {
  const worst = Math.max(...Object.values(loads).flatMap(records => records.map(({ cls }) => cls)))
  const cells = [loads.cold, loads.warm, loads.slow4G].map(spread)
  return `| \`${path}\` | ${cells.join(" | ")} | ${worst.toFixed(3)} |`
}

function spread(records: Record[]): string {
  const times = records.map(({ lcp_ms }) => lcp_ms)
  return `${seconds(median(times))} (${seconds(Math.min(...times))}–${seconds(Math.max(...times))})`
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`

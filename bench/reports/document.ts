import { type Applied, rounded } from "./applying"
import type { Measured } from "./measure"
import { median } from "./quantile"
import type { Crowd } from "./time-readers"

export type Results = {
  at: string
  machine: string
  settings: Record<string, string>
  parts: Parts
  seconds: number
  rounds: { clicks: number; events: number; applied: Applied; measured: Measured[] }[]
  indexed_naive_ms: number[][] // of the last round, in the order of its requests
  crowds: (Crowd & { parts: Parts })[]
}
export type Parts = "separate" | "one process"

const GROWTH_MAX = 1.2
const HTTP_MIN = 50
const APPLIED_MIN = 10_000
const P99_MAX_MS = 20

/** The results as a Markdown document. */
export function renderDocument(results: Results): string {
  const { rounds, settings, crowds } = results
  const last = rounds.at(-1)!
  const crowd = crowds[0]!
  return `# Reports, against naive SQL

${rounded(last.events)} events of one program over 400 days, ${results.at.slice(0, 10)}. ${results.machine}
Parts: ${results.parts}. ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")}.
The whole run took ${rounded(results.seconds / 60)} minutes. Each number is the median of
${last.measured[0]!.pairs.length} repetitions, Tributary and the naive SQL in turn; ranges are minimum and maximum.
SQL is PostgreSQL's own planning and execution time. HTTP is a whole reply, including catching up.

The naive SQL reads the tables of the services that own the data: performance is an aggregation over the
events, a page is \`union all\`, sort and count. "With indexes" adds an index on each table's time.

${rounds.map(round => timesOf(round, round === last ? results.indexed_naive_ms : [])).join("\n\n")}

## Growth

| request | SQL, ${rounds.map(({ events }) => rounded(events)).join(" → ")} events | ratio |
|---|---|---|
${last.measured.map((_, i) => growthOf(rounds, i)).join("\n")}

Goal: a ratio under ${GROWTH_MAX}.

## Applying the feed

| events | seconds | events per second, overall | events per second, after loading | memory of reporting |
|---|---|---|---|---|
${rounds.map(({ applied }) => appliedOf(applied)).join("\n")}

Goal: ${rounded(APPLIED_MIN)} events per second.

## ${crowd.readers} readers while ${rounded(crowd.clicks_per_second)} clicks per second arrive

| parts | request | replies | p50 | p99 |
|---|---|---|---|---|
${crowds.flatMap(rowsOf).join("\n")}

Timed after a warm-up of ${rounded(crowd.warm_up_seconds)} seconds, in stretches of ${rounded(crowd.seconds)} seconds.
p50 and p99 are medians of the stretches, with the range in brackets.
Goal: p99 under ${P99_MAX_MS} ms. Replies that were behind (\`meta.appliedUntil\`): ${crowds.map(behindOf).join(", ")}.
`
}

function timesOf({ events, measured }: Results["rounds"][number], indexed: number[][]): string {
  const rows = measured.map(({ name, goal, pairs }, i) => {
    const bySql = pairs.map(({ naive_ms, sql_ms }) => naive_ms / sql_ms)
    const byHttp = pairs.map(({ naive_ms, http_ms }) => naive_ms / http_ms)
    const cells = [
      name,
      formatMs(median(pairs.map(pair => pair.naive_ms))),
      indexed[i] ? formatMs(median(indexed[i])) : "",
      formatMs(median(pairs.map(pair => pair.sql_ms))),
      `${formatRatios(bySql)}${goal ? ` (goal ${rounded(goal)})` : ""}`,
      formatMs(median(pairs.map(pair => pair.http_ms))),
      formatRatios(byHttp),
    ]
    return `| ${cells.join(" | ")} |`
  })
  return `## ${rounded(events)} events

| request | naive SQL | with indexes | SQL | times faster | HTTP | times faster (goal ${HTTP_MIN}) |
|---|---|---|---|---|---|---|
${rows.join("\n")}`
}

function growthOf(rounds: Results["rounds"], i: number): string {
  const all = rounds.map(({ measured }) => median(measured[i]!.pairs.map(pair => pair.sql_ms)))
  const name = rounds.at(-1)!.measured[i]!.name
  return `| ${name} | ${all.map(formatMs).join(" → ")} | ${(all.at(-1)! / all[0]!).toFixed(2)} |`
}

const appliedOf = ({ events, seconds, per_second, per_second_alone, rss_mb }: Applied) =>
  `| ${[events, seconds, per_second, per_second_alone].map(rounded).join(" | ")} | ${rounded(rss_mb)} MB |`

const behindOf = ({ parts, behind }: Results["crowds"][number]) => `${behind} (${parts})`

const rowsOf = ({ parts, times }: Results["crowds"][number]) =>
  Object.entries(times).map(([name, stretches]) => {
    const answers = rounded(stretches.reduce((sum, stretch) => sum + stretch.answers, 0))
    const [p50, p99] = (["p50_ms", "p99_ms"] as const).map(which => {
      const each = stretches.map(stretch => stretch[which])
      const [least, most] = [Math.min(...each), Math.max(...each)]
      return `${median(each).toFixed(1)} ms (${least.toFixed(1)}–${most.toFixed(1)})`
    })
    return `| ${[parts, name.replaceAll("_", " "), answers, p50, p99].join(" | ")} |`
  })

const formatMs = (time: number) => `${time < 10 ? time.toFixed(2) : rounded(time)} ms`
const formatRatios = (ratios: number[]) =>
  `${rounded(median(ratios))} (${rounded(Math.min(...ratios))}–${rounded(Math.max(...ratios))})`

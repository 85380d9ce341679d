import { type Applied, whole } from "./applying"
import type { Crowd } from "./crowd"
import type { Measured } from "./measure"
import { median } from "./quantile"

export type Results = {
  at: string
  machine: string
  settings: Record<string, string>
  parts: Parts
  seconds: number
  rounds: { clicks: number; events: number; applied: Applied; measured: Measured[] }[]
  indexed_naive_ms: number[][] // of the last round, as its requests come
  crowds: (Crowd & { parts: Parts })[]
}
export type Parts = "separate" | "one process"

const GROWTH_MAX = 1.2
const HTTP_MIN = 50
const APPLIED_MIN = 10_000
const P99_MAX_MS = 20

/** The results as people read them. */
export function documentOf(results: Results): string {
  const { rounds, settings, crowds } = results
  const last = rounds.at(-1)!
  const crowd = crowds[0]!
  return `# Reports, against naive SQL

${whole(last.events)} events of one program over 400 days, ${results.at.slice(0, 10)}. ${results.machine}
Parts: ${results.parts}. ${Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")}.
The whole run took ${whole(results.seconds / 60)} minutes. Each number is the median of
${last.measured[0]!.pairs.length} repetitions, ours and the naive one in turns; a range is the least and the most.
SQL is what PostgreSQL plans and executes, by its own count. HTTP is a whole answer, catching up included.

The naive SQL reads the tables of the owners: performance is an aggregation over the events, a page is
\`union all\`, sort and count. "With indexes" is the same after an index on each table's time.

${rounds.map(round => timesOf(round, round === last ? results.indexed_naive_ms : [])).join("\n\n")}

## Growth

| request | SQL, ${rounds.map(({ events }) => whole(events)).join(" → ")} events | times |
|---|---|---|
${last.measured.map((_, i) => growthOf(rounds, i)).join("\n")}

Goal: under ${GROWTH_MAX} times.

## Applying the feed

| events | seconds | a second, while they were loaded and after | a second, after | memory of reporting |
|---|---|---|---|---|
${rounds.map(({ applied }) => appliedOf(applied)).join("\n")}

Goal: ${whole(APPLIED_MIN)} events a second.

## ${crowd.readers} readers, while ${whole(crowd.clicks_per_second)} clicks a second arrive

| parts | request | answers | p50 | p99 |
|---|---|---|---|---|
${crowds.flatMap(rowsOf).join("\n")}

Timed after ${whole(crowd.warm_up_seconds)} seconds of the same, in stretches of ${whole(crowd.seconds)} seconds, of which p50 and p99 are those in the middle.
Goal: p99 under ${P99_MAX_MS} ms. Answers that said that they did not reach up to the question, in this order: ${crowds.map(({ behind }) => behind).join(", ")}.
`
}

function timesOf({ events, measured }: Results["rounds"][number], indexed: number[][]): string {
  const rows = measured.map(({ name, goal, pairs }, i) => {
    const by_sql = pairs.map(({ naive_ms, sql_ms }) => naive_ms / sql_ms)
    const by_http = pairs.map(({ naive_ms, http_ms }) => naive_ms / http_ms)
    const cells = [
      name,
      ms(median(pairs.map(pair => pair.naive_ms))),
      indexed[i] ? ms(median(indexed[i])) : "",
      ms(median(pairs.map(pair => pair.sql_ms))),
      `${times(by_sql)}${goal ? ` (goal ${whole(goal)})` : ""}`,
      ms(median(pairs.map(pair => pair.http_ms))),
      times(by_http),
    ]
    return `| ${cells.join(" | ")} |`
  })
  return `## ${whole(events)} events

| request | naive SQL | with indexes | SQL | times faster | HTTP | times faster (goal ${HTTP_MIN}) |
|---|---|---|---|---|---|---|
${rows.join("\n")}`
}

function growthOf(rounds: Results["rounds"], i: number): string {
  const all = rounds.map(({ measured }) => median(measured[i]!.pairs.map(pair => pair.sql_ms)))
  const name = rounds.at(-1)!.measured[i]!.name
  return `| ${name} | ${all.map(ms).join(" → ")} | ${(all.at(-1)! / all[0]!).toFixed(2)} |`
}

const appliedOf = ({ events, seconds, per_second, per_second_alone, rss_mb }: Applied) =>
  `| ${[events, seconds, per_second, per_second_alone].map(whole).join(" | ")} | ${whole(rss_mb)} MB |`

const rowsOf = ({ parts, times }: Results["crowds"][number]) =>
  Object.entries(times).map(([name, stretches]) => {
    const answers = whole(stretches.reduce((sum, stretch) => sum + stretch.answers, 0))
    const [p50, p99] = (["p50_ms", "p99_ms"] as const).map(which => {
      const each = stretches.map(stretch => stretch[which])
      const [least, most] = [Math.min(...each), Math.max(...each)]
      return `${median(each).toFixed(1)} ms (${least.toFixed(1)}–${most.toFixed(1)})`
    })
    return `| ${[parts, name.replaceAll("_", " "), answers, p50, p99].join(" | ")} |`
  })

const ms = (time: number) => `${time < 10 ? time.toFixed(2) : whole(time)} ms`
const times = (ratios: number[]) =>
  `${whole(median(ratios))} (${whole(Math.min(...ratios))}–${whole(Math.max(...ratios))})`

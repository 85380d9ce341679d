import { cpus } from "node:os"
import { median, quantile } from "../reports/quantile"
import type { measureDrain } from "./drain"
import type { measureBesideHung } from "./hung"
import type { measureOutbox } from "./outbox"

const HEALTHY_P99_MS_MAX = 2_000
const SALES_RATIO_MAX = 1.1
const DRAIN_PER_SECOND_MIN = 1_000

export type Results = {
  rounds: number
  seconds: number
  drains: Awaited<ReturnType<typeof measureDrain>>[]
  beside_hung: Awaited<ReturnType<typeof measureBesideHung>>
  outbox: Awaited<ReturnType<typeof measureOutbox>>
}

export function renderDocument({ rounds, seconds, drains, beside_hung, outbox }: Results): string {
  const { healthy, sales_beside, sales_without, ratios } = beside_hung
  const ratio = sales_beside.p99_ms / sales_without.p99_ms
  const drained = drains[0]!.per_second
  return `# Deliveries

Written by \`npm run bench:deliveries\` on ${new Date().toISOString().slice(0, 10)}, on ${cpus().length} processors that the
receivers, PostgreSQL and all parts shared. Comparisons took turns: ${rounds} rounds of ${seconds} s for each
side.

| | measured | goal | |
|---|---:|---:|---|
| healthy endpoint beside 50 that hang, 50 events a second each: p99 of the first attempt, in ms | ${count(healthy.p99_ms)} | ≤ ${count(HEALTHY_P99_MS_MAX)} | ${verdict(healthy.p99_ms <= HEALTHY_P99_MS_MAX)} |
| p99 of sales meanwhile ÷ with delivery stopped | ${ratio.toFixed(2)} (rounds: ${[...ratios]
    .sort((a, b) => a - b)
    .map(one => one.toFixed(2))
    .join(", ")}) | ≤ ${SALES_RATIO_MAX} | ${verdict(ratio <= SALES_RATIO_MAX)} |
| events a second that one replica reads, numbers, publishes and delivers | ${count(drained)} | ≥ ${count(DRAIN_PER_SECOND_MIN)} | ${verdict(drained >= DRAIN_PER_SECOND_MIN)} |

## Beside endpoints that hang

| ms | p50 | p99 | longest | of |
|---|---:|---:|---:|---|
| event until its first attempt at the healthy endpoint | ${milliseconds(healthy)} events |
| sale, with delivery at work | ${milliseconds(sales_beside)} sales |
| sale, with delivery stopped | ${milliseconds(sales_without)} sales |

## Draining a backlog

${count(drains[0]!.events)} events wait in their owner's feed, of 20 programs with one endpoint each. CPU is per event.

| replicas | events a second | delivery's first replica µs | PostgreSQL µs |
|---:|---:|---:|---:|
${drains.map(one => `| ${one.replicas} | ${count(one.per_second)} | ${count(one.delivery_us)} | ${count(one.postgres_us)} |`).join("\n")}

## What the outbox costs a sale

A sale writes two outgoing events in its transactions: of the sale and of its commission. Both sides build
their JSON, one of them throws the rows away.

| per sale | with | without | difference |
|---|---:|---:|---:|
${row("sales a second, 32 connections", ({ per_second }) => per_second)}
${row("CPU of PostgreSQL, µs", ({ postgres_us }) => postgres_us)}
${row("CPU of tracking and commissions, µs", ({ services_us }) => services_us)}
${row("WAL, bytes", ({ wal_bytes }) => wal_bytes)}
`

  function row(title: string, of: (cost: Results["outbox"]["with"][number]) => number): string {
    const [beside, without] = [outbox.with.map(of), outbox.without.map(of)]
    const difference = median(beside) - median(without)
    return `| ${title} | ${figure(beside)} | ${figure(without)} | ${count(difference)} |`
  }
}

const verdict = (isReached: boolean) => (isReached ? "reached" : "**missed**")
const count = (number: number) => Math.round(number).toLocaleString("en")
const figure = (numbers: number[]) =>
  `${count(median(numbers))} (${count(Math.min(...numbers))} – ${count(quantile(numbers, 1))})`

type Figures = Results["beside_hung"]["healthy"]
const milliseconds = ({ count: of, p50_ms, p99_ms, max_ms }: Figures) =>
  `${p50_ms.toFixed(1)} | ${p99_ms.toFixed(1)} | ${max_ms.toFixed(1)} | ${count(of)}`

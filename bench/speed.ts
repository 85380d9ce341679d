import type { Loaded, Round } from "./round"

export type Figure = { median: number; least: number; most: number }

/** The median and the range of one number over all rounds. */
export function figureOf(rounds: Round[], number: (round: Round) => number): Figure {
  const numbers = rounds.map(number)
  return { median: medianOf(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
}

export function medianOf(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const at = (loads: Loaded[], connections: number) =>
  loads.find(load => load.connections === connections) as Loaded

type Goal = { name: string; of: (round: Round) => number; goal: [">=" | "<=", number] }

/** Each ratio compares both sides within one round, so both saw the same machine. */
export const GOALS: Goal[] = [
  {
    name: "clicks on 1,000 links, 128 connections ÷ pgbench, one transaction each",
    of: ({ clicks, pgbench }) => at(clicks.thousand, 128).per_second / pgbench.transaction,
    goal: [">=", 5],
  },
  {
    name: "clicks on 1,000 links, 512 connections ÷ pgbench, one transaction each",
    of: ({ clicks, pgbench }) => at(clicks.thousand, 512).per_second / pgbench.transaction,
    goal: [">=", 6],
  },
  {
    name: "clicks on 1,000 links, 512 connections ÷ pgbench, one statement each",
    of: ({ clicks, pgbench }) => at(clicks.thousand, 512).per_second / pgbench.statement,
    goal: [">=", 2.3],
  },
  {
    name: "clicks on one link, 512 connections ÷ pgbench, one transaction each",
    of: ({ clicks, pgbench }) => at(clicks.hot, 512).per_second / pgbench.transaction_hot,
    goal: [">=", 12],
  },
  {
    name: "clicks, 128 connections: p99 in ms",
    of: ({ clicks }) => at(clicks.thousand, 128).p99_ms,
    goal: ["<=", 15],
  },
  { name: "single click: p99 in ms", of: ({ idle }) => idle.p99_ms, goal: ["<=", 5] },
  {
    name: "sales with commission ÷ pgbench, the same three transactions",
    of: ({ sold, pgbench }) => Math.max(...sold.map(({ per_second }) => per_second)) / pgbench.sale,
    goal: [">=", 0.5],
  },
]

export const isReached = ({ goal: [sign, bound] }: Goal, { median }: Figure) =>
  sign === ">=" ? median >= bound : median <= bound

type Row = { name: string; of: (round: Round) => number }

/** Absolute numbers, valid only for this machine at that time. */
export const ABSOLUTES: Row[] = [
  { name: "pgbench: clicks, one transaction each", of: ({ pgbench }) => pgbench.transaction },
  { name: "pgbench: clicks, one statement each", of: ({ pgbench }) => pgbench.statement },
  { name: "pgbench: clicks on one link", of: ({ pgbench }) => pgbench.transaction_hot },
  ...[1, 32, 128, 512].map(count => ({
    name: `clicks on 1,000 links, ${count} ${count === 1 ? "connection" : "connections"}`,
    of: ({ clicks }: Round) => at(clicks.thousand, count).per_second,
  })),
  ...[128, 512].map(count => ({
    name: `clicks on one link, ${count} connections`,
    of: ({ clicks }: Round) => at(clicks.hot, count).per_second,
  })),
  { name: "pgbench: leads", of: ({ pgbench }) => pgbench.lead },
  { name: "leads, 32 connections", of: ({ led }) => led.per_second },
  { name: "pgbench: sales, step by step", of: ({ pgbench }) => pgbench.sale },
  { name: "pgbench: sales, three statements", of: ({ pgbench }) => pgbench.sale_statement },
  ...[32, 128].map(count => ({
    name: `sales, ${count} connections`,
    of: ({ sold }: Round) => at(sold, count).per_second,
  })),
  { name: "Elysia echo, 128 connections", of: ({ limits }) => limits.echoes_per_second },
  { name: "NATS round trips, 128 concurrent", of: ({ limits }) => limits.round_trips_per_second },
]

/** CPU time per click of each part, at 512 connections on 1,000 links. */
export const cpuOf = (rounds: Round[]) =>
  Object.keys(at(rounds[0]!.clicks.thousand, 512).cpu_us).map(name => ({
    name,
    figure: figureOf(rounds, ({ clicks }) => at(clicks.thousand, 512).cpu_us[name] ?? 0),
  }))

export const TIMES: Row[] = [
  { name: "single click: p50", of: ({ idle }) => idle.p50_ms },
  { name: "single click: p99", of: ({ idle }) => idle.p99_ms },
  ...[32, 128, 512].flatMap(count => [
    {
      name: `clicks, ${count} connections: p50`,
      of: ({ clicks }: Round) => at(clicks.thousand, count).p50_ms,
    },
    {
      name: `clicks, ${count} connections: p99`,
      of: ({ clicks }: Round) => at(clicks.thousand, count).p99_ms,
    },
  ]),
  { name: "sales, 32 connections: p99", of: ({ sold }) => at(sold, 32).p99_ms },
  { name: "NATS round trip, one at a time", of: ({ limits }) => limits.round_trip_ms },
  {
    name: "reporting: greatest lag, clicks at 512 connections",
    of: ({ clicks }) => at(clicks.thousand, 512).lag_seconds_max * 1_000,
  },
  {
    name: "reporting: time to catch up afterwards",
    of: ({ clicks }) => at(clicks.thousand, 512).catch_up_seconds * 1_000,
  },
]

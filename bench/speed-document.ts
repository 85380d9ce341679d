import { cpus } from "node:os"
import { join } from "node:path"
import type { Use } from "./processes"
import type { Round } from "./round"
import { ABSOLUTES, cpuOf, type Figure, figureOf, GOALS, isReached, medianOf, TIMES } from "./speed"
import type { System } from "./system"

export type Replicas = { one: number[]; two: number[] } // clicks a second, in turn
type Found = { rounds: Round[]; replicas: Replicas; memory: Record<string, Use>; seconds: number }

/** Writes bench/speed.json, from which speed.md is made for people. */
export async function report(system: System, found: Found) {
  const { rounds, replicas, memory } = found
  const machine = await machineOf(system)
  const goals = GOALS.map(goal => {
    const figure = figureOf(rounds, goal.of)
    const [sign, bound] = goal.goal
    return {
      name: goal.name,
      ...figure,
      goal: `${sign} ${bound}`,
      is_reached: isReached(goal, figure),
    }
  })
  const medians = { one: medianOf(replicas.one), two: medianOf(replicas.two) }
  const json = { at: new Date().toISOString(), machine, goals, replicas, rounds, memory }
  await Bun.write(join(import.meta.dir, "speed.json"), `${JSON.stringify(json, null, 1)}\n`)

  const text = [
    "# Speed",
    "",
    `Written by \`npm run bench\` on ${json.at.slice(0, 10)}: ${rounds.length} rounds of ${found.seconds} s for each`,
    "measurement, yardstick and candidate in turn on the same PostgreSQL. Medians, and the range in",
    "brackets. Ratios travel from machine to machine; absolute numbers do not.",
    "",
    ...Object.entries(machine).map(([name, value]) => `- ${name}: ${value}`),
    "",
    ...table(
      ["ratio or bound", "measured", "goal", ""],
      [
        ...goals.map(({ name, goal, is_reached, ...figure }) => [
          ...[name, shown(figure, 2), goal.replace(">=", "≥").replace("<=", "≤")],
          is_reached ? "reached" : "**missed**",
        ]),
      ],
    ),
    ...table(
      ["per second", ""],
      ABSOLUTES.map(({ name, of }) => [name, shown(figureOf(rounds, of), 0)]),
    ),
    ...table(
      ["ms", ""],
      TIMES.map(({ name, of }) => [name, shown(figureOf(rounds, of), 1)]),
    ),
    ...table(
      ["part", "CPU µs per click (512 connections)", "memory, MB"],
      cpuOf(rounds).map(({ name, figure }) => [
        ...[name, shown(figure, 1), `${Math.round((memory[name]?.rss_bytes ?? 0) / 2 ** 20)}`],
      ]),
    ),
    "Two replicas of tracking instead of one, 128 connections, in turn: " +
      `${Math.round(medians.two)} against ${Math.round(medians.one)} clicks a second.`,
    "",
    "After each round: rows = counters, exactly, and = answers 200 (but for requests that wrk hung up",
    "on when its time was over). LOG_LEVEL is warn and RATE_LIMITS is off; reporting applies while",
    "clicks are measured.",
    "",
  ]
  await Bun.write(join(import.meta.dir, "speed.md"), text.join("\n"))
  return goals
}

async function machineOf({ sql }: System) {
  const [database] = await sql<[Record<string, string>]>`
    select
      current_setting('server_version') as "PostgreSQL",
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('wal_sync_method') as wal_sync_method,
      current_setting('shared_buffers') as shared_buffers
  `
  const [cpu] = cpus()
  return { CPU: `${cpus().length} × ${cpu?.model.trim()}`, Bun: Bun.version, ...database }
}

const table = (head: string[], rows: string[][]) => [
  `| ${head.join(" | ")} |`,
  `|${head.map(() => "---|").join("")}`,
  ...rows.map(row => `| ${row.join(" | ")} |`),
  "",
]

const shown = ({ median, least, most }: Figure, digits: number) =>
  `${fixed(median, digits)} (${fixed(least, digits)} – ${fixed(most, digits)})`

const fixed = (value: number, digits: number) =>
  value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits })

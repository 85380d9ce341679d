import { cpus } from "node:os"
import { join } from "node:path"
import type { Usage } from "./processes"
import type { Round } from "./round"
import { ABSOLUTES, cpuOf, type Figure, figureOf, GOALS, isReached, medianOf, TIMES } from "./speed"
import type { System } from "./system"

export type Replicas = { one: number[]; two: number[] } // clicks per second, measured in turn
type Results = {
  rounds: Round[]
  replicas: Replicas
  memory: Record<string, Usage>
  seconds: number
}

/** Writes bench/speed.json for programs and bench/speed.md for people. Returns the goals. */
export async function writeReport(system: System, results: Results) {
  const { rounds, replicas, memory } = results
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
    `Written by \`npm run bench\` on ${json.at.slice(0, 10)}: ${rounds.length} rounds of ${results.seconds} s`,
    "per measurement, pgbench and Tributary in turn on the same PostgreSQL. Each figure is the",
    "median, with the range in brackets. Ratios are comparable between machines; absolute numbers",
    "are not.",
    "",
    ...Object.entries(machine).map(([name, value]) => `- ${name}: ${value}`),
    "",
    ...table(
      ["ratio or bound", "measured", "goal", ""],
      [
        ...goals.map(({ name, goal, is_reached, ...figure }) => [
          ...[name, formatFigure(figure, 2), goal.replace(">=", "≥").replace("<=", "≤")],
          is_reached ? "reached" : "**missed**",
        ]),
      ],
    ),
    ...table(
      ["per second", ""],
      ABSOLUTES.map(({ name, of }) => [name, formatFigure(figureOf(rounds, of), 0)]),
    ),
    ...table(
      ["ms", ""],
      TIMES.map(({ name, of }) => [name, formatFigure(figureOf(rounds, of), 1)]),
    ),
    ...table(
      ["part", "CPU µs per click (512 connections)", "memory, MB"],
      cpuOf(rounds).map(({ name, figure }) => [
        ...[
          name,
          formatFigure(figure, 1),
          `${Math.round((memory[name]?.rss_bytes ?? 0) / 2 ** 20)}`,
        ],
      ]),
    ),
    "Two replicas of tracking compared with one, 128 connections, in turn: " +
      `${Math.round(medians.two)} against ${Math.round(medians.one)} clicks per second.`,
    "",
    "After each round the rows equal the counters exactly. They also equal the replies of 200, except",
    "for requests that wrk dropped when its time was up. LOG_LEVEL is warn and RATE_LIMITS is off.",
    "Reporting applies the feeds while clicks are measured.",
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

const formatFigure = ({ median, least, most }: Figure, digits: number) =>
  `${formatNumber(median, digits)} (${formatNumber(least, digits)} – ${formatNumber(most, digits)})`

const formatNumber = (value: number, digits: number) =>
  value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits })

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const TICKS_PER_SECOND = 100 // of Linux, on every machine of today

type Listed = { name: string; replica: number; pid: number }
export type Use = { cpu_seconds: number; rss_bytes: number }

/** What each part has used so far. Replicas are added up; PostgreSQL is all of its processes. */
export function usage(data_dir: string): Record<string, Use> {
  const listed: Listed[] = JSON.parse(readFileSync(join(data_dir, "processes.json"), "utf8"))
  const children = childrenByParent()
  const used: Record<string, Use> = {}

  for (const { name, pid } of listed) {
    const pids = [pid, ...(children.get(pid) ?? [])]
    const sum = used[name] ?? { cpu_seconds: 0, rss_bytes: 0 }
    used[name] = {
      cpu_seconds: sum.cpu_seconds + pids.reduce((total, pid) => total + cpuSeconds(pid), 0),
      rss_bytes: sum.rss_bytes + pids.reduce((total, pid) => total + memoryBytes(pid), 0),
    }
  }
  return used
}

/** CPU seconds between two readings, by part. */
export function cpuBetween(before: Record<string, Use>, after: Record<string, Use>) {
  const parts = Object.entries(after).map(([name, { cpu_seconds }]) => [
    name,
    cpu_seconds - (before[name]?.cpu_seconds ?? 0),
  ])
  return Object.fromEntries(parts) as Record<string, number>
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry)
    const parent = pid ? Number(statOf(pid)?.[1]) : 0
    if (parent) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return children
}

/** Of a process and of those of its children that have ended. */
function cpuSeconds(pid: number): number {
  const ticks = statOf(pid)?.slice(11, 15).map(Number) ?? []
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
}

/** Memory that processes share counts once among them (proportional set size), where told. */
function memoryBytes(pid: number): number {
  const [, kilobytes = "0"] = /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1024
}

/** The fields of /proc/PID/stat that follow the name: state, parent, … */
function statOf(pid: number): string[] | undefined {
  return textOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // it has ended meanwhile
  }
}

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const TICKS_PER_SECOND = 100 // on all current Linux systems

type ProcessEntry = { name: string; replica: number; pid: number }
export type Usage = { cpu_seconds: number; rss_bytes: number }

/** The CPU time and memory that each part has used so far. Replicas are summed; PostgreSQL counts all its processes. */
export function usage(dataDir: string): Record<string, Usage> {
  const processes: ProcessEntry[] = JSON.parse(
    readFileSync(join(dataDir, "processes.json"), "utf8"),
  )
  const children = childrenByParent()
  const usages: Record<string, Usage> = {}

  for (const { name, pid } of processes) {
    const pids = [pid, ...(children.get(pid) ?? [])]
    const sum = usages[name] ?? { cpu_seconds: 0, rss_bytes: 0 }
    usages[name] = {
      cpu_seconds: sum.cpu_seconds + pids.reduce((total, pid) => total + cpuSeconds(pid), 0),
      rss_bytes: sum.rss_bytes + pids.reduce((total, pid) => total + memoryBytes(pid), 0),
    }
  }
  return usages
}

/** CPU seconds of each part between two readings. */
export function cpuBetween(before: Record<string, Usage>, after: Record<string, Usage>) {
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

/** CPU seconds of a process and of its children that have ended. */
function cpuSeconds(pid: number): number {
  const ticks = statOf(pid)?.slice(11, 15).map(Number) ?? []
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
}

/** Proportional set size: memory that processes share counts once among them. 0 if unknown. */
function memoryBytes(pid: number): number {
  const [, kilobytes = "0"] = /^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1024
}

/** The fields of /proc/PID/stat after the name: state, parent, … */
function statOf(pid: number): string[] | undefined {
  return textOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // the process has ended
  }
}

import { readFileSync } from "node:fs"
import type { System } from "./system"

const INTERVAL_MS = 500
const MIB = 1024 * 1024
const PAGE_BYTES = 4096

/** Watches by how much the memory of each process grows from now on. */
export function watchMemory(system: System) {
  const before = new Map<number, number>()
  for (const { pid } of system.processes()) before.set(pid, residentBytes(pid))
  let growthBytes = 0

  const watch = setInterval(() => {
    for (const [pid, bytes] of before) {
      growthBytes = Math.max(growthBytes, residentBytes(pid) - bytes)
    }
  }, INTERVAL_MS)

  /** Stops watching. Returns the growth, in MiB, of the process that grew most. */
  return function growthMib(): number {
    clearInterval(watch)
    return Math.round(growthBytes / MIB)
  }
}

/** The resident memory of a process. Zero if it has ended. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

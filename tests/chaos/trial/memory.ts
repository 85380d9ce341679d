import { readFileSync } from "node:fs"
import type { System } from "./system"

const LOOK_MS = 500
const MIB = 1024 * 1024
const PAGE_BYTES = 4096

/** Watches how much memory each process takes beyond what it took at the start of the watch. */
export function watchMemory(system: System) {
  const before = new Map<number, number>()
  for (const { pid } of system.processes()) before.set(pid, residentOf(pid))
  let growth_bytes = 0

  const watch = setInterval(() => {
    for (const [pid, bytes] of before) {
      growth_bytes = Math.max(growth_bytes, residentOf(pid) - bytes)
    }
  }, LOOK_MS)

  /** Of the process that grew most. */
  return function growth_mib(): number {
    clearInterval(watch)
    return Math.round(growth_bytes / MIB)
  }
}

/** Zero of a process that has ended. */
function residentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

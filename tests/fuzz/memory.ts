import { readFileSync } from "node:fs"

const GROWTH_MAX = 1.25 // from the second third to the last
const SLACK_MB = 60

/** How much memory a process has at the moment. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1_024
}

/** Whether it stopped growing: the first third is left out, in which code and caches are warmed. */
export function steadiness(megabytes: number[]) {
  const third = Math.floor(megabytes.length / 3)
  const [middle, last] = [megabytes.slice(third, 2 * third), megabytes.slice(2 * third)].map(median)
  const isFlat = last! <= middle! * GROWTH_MAX + SLACK_MB
  const sentence = `Memory of the process: ${middle!.toFixed(0)} MB in the second third, ${last!.toFixed(0)} MB in the last`
  return { isFlat, sentence: `${sentence}${isFlat ? "." : ": it grows."}` }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

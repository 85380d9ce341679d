import { readFileSync } from "node:fs"

const GROWTH_MAX = 1.25 // from the second third to the last
const SLACK_MB = 60

/** The resident memory of a process now. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1_024
}

/** Whether memory stopped growing. Ignores the first third of the samples, the warm-up. */
export function steadiness(megabytes: number[]) {
  const third = Math.floor(megabytes.length / 3)
  const [middle, last] = [megabytes.slice(third, 2 * third), megabytes.slice(2 * third)].map(median)
  const isFlat = last! <= middle! * GROWTH_MAX + SLACK_MB
  const [before, after] = [middle, last].map(value => value!.toFixed(0))
  const sentence = `Memory: ${before} MB in the second third of the run, ${after} MB in the last`
  return { isFlat, sentence: `${sentence}${isFlat ? "." : ": it grows."}` }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

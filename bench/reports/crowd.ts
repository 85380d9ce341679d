import { join } from "node:path"
import type { Program } from "./program"
import type { Tributary } from "./tributary"

const READERS = 4

export type Crowd = Awaited<ReturnType<typeof timeCrowd>>

/**
 * Four readers ask for page 1 and for 90 days, while clicks arrive. Milliseconds of each answer, and
 * how many did not have all the clicks that had been answered.
 */
export async function timeCrowd(
  { url, send }: Tributary,
  program: Program,
  { clicks_per_second, seconds }: { clicks_per_second: number; seconds: number },
) {
  const flood = Bun.spawn(
    [
      ...[process.execPath, join(import.meta.dir, "click-flood.ts")],
      ...[url, `${clicks_per_second}`, `${seconds}`, `${program.partners}`],
    ],
    { stdout: "pipe", stderr: "inherit" },
  )
  let is_flooding = true
  const flooded = new Response(flood.stdout).json().finally(() => {
    is_flooding = false
  })

  const paths = {
    page_1: `/api/tracking/events/${program.id}?page=1`,
    performance_90d: `/api/tracking/performance/${program.id}?period=90d`,
  }
  const times = { page_1: [] as number[], performance_90d: [] as number[] }
  let behind = 0
  const read = async () => {
    while (is_flooding) {
      for (const name of ["page_1", "performance_90d"] as const) {
        const began = performance.now()
        const { meta } = await send("GET", paths[name], program.session)
        times[name].push(performance.now() - began)
        if (meta.appliedUntil) behind++
      }
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  const { answered }: { answered: number } = await flooded
  return { clicks_per_second: Math.round(answered / seconds), readers: READERS, times, behind }
}

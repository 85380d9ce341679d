import { join } from "node:path"
import type { Program } from "./program"
import type { Tributary } from "./tributary"

const READERS = 4

export type Crowd = Awaited<ReturnType<typeof timeCrowd>>
type Flood = { clicks_per_second: number; warm_up_seconds: number; seconds: number }

/**
 * Four readers ask for page 1 and for 90 days, while clicks arrive. Milliseconds of each answer, and
 * how many did not have all the clicks that had been answered. Answers are not timed before all parts
 * are warm: nobody has clicked until now, and new code takes several times as long.
 */
export async function timeCrowd(
  { url, send }: Tributary,
  program: Program,
  { clicks_per_second, warm_up_seconds, seconds }: Flood,
) {
  const warm_at = performance.now() + warm_up_seconds * 1_000
  const flood = Bun.spawn(
    [
      ...[process.execPath, join(import.meta.dir, "click-flood.ts")],
      ...[url, `${clicks_per_second}`, `${warm_up_seconds}`, `${seconds}`, `${program.partners}`],
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
        if (meta.appliedUntil) behind++
        if (began >= warm_at) times[name].push(performance.now() - began)
      }
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  const { answered }: { answered: number } = await flooded
  return {
    clicks_per_second: Math.round(answered / seconds),
    warm_up_seconds,
    readers: READERS,
    times,
    behind,
  }
}

import { join } from "node:path"
import type { Program } from "./program"
import { quantile } from "./quantile"
import type { Tributary } from "./tributary"

const READERS = 4

export type Crowd = Awaited<ReturnType<typeof timeCrowd>>
type Flood = {
  clicks_per_second: number
  warm_up_seconds: number
  stretches: number // each is timed by itself: a machine that others use has slow moments
  seconds: number // of a stretch
}

/**
 * Four readers ask for page 1 and for 90 days, while clicks arrive. What each stretch of it took,
 * and how many answers did not have all the clicks that had been answered. Nothing is timed before
 * all parts are warm: nobody has clicked until now, and new code takes several times as long.
 */
export async function timeCrowd(
  { url, send }: Tributary,
  program: Program,
  { clicks_per_second, warm_up_seconds, stretches, seconds }: Flood,
) {
  const flooded_seconds = stretches * seconds
  const warm_at = performance.now() + warm_up_seconds * 1_000
  const flood = Bun.spawn(
    [
      ...[process.execPath, join(import.meta.dir, "click-flood.ts")],
      ...[url, `${clicks_per_second}`, `${warm_up_seconds}`, `${flooded_seconds}`],
      `${program.partners}`,
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
  const none = () => Array.from({ length: stretches }, (): number[] => [])
  const times = { page_1: none(), performance_90d: none() }
  let behind = 0
  const read = async () => {
    while (is_flooding) {
      for (const name of ["page_1", "performance_90d"] as const) {
        const began = performance.now()
        const { meta } = await send("GET", paths[name], program.session)
        if (meta.appliedUntil) behind++
        const stretch = Math.floor((began - warm_at) / (seconds * 1_000))
        times[name][stretch]?.push(performance.now() - began) // what comes before or after has none
      }
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  const { answered }: { answered: number } = await flooded
  return {
    clicks_per_second: Math.round(answered / flooded_seconds),
    warm_up_seconds,
    seconds,
    readers: READERS,
    times: { page_1: times.page_1.map(summed), performance_90d: times.performance_90d.map(summed) },
    behind,
  }
}

const summed = (times: number[]) => ({
  answers: times.length,
  p50_ms: quantile(times, 0.5),
  p99_ms: quantile(times, 0.99),
})

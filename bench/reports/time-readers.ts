import { join } from "node:path"
import type { Program } from "./program"
import { quantile } from "./quantile"
import type { Tributary } from "./tributary"

const READERS = 4

export type Crowd = Awaited<ReturnType<typeof timeReaders>>
type Flood = {
  clicks_per_second: number
  warm_up_seconds: number
  stretches: number // each is timed separately, because a shared machine has slow moments
  seconds: number // of a stretch
}

/**
 * Four readers request page 1 and 90 days while clicks arrive. Returns the times of each stretch,
 * and how many replies lacked clicks that were answered before (`behind`). Timing starts after a
 * warm-up: no click was sent before, and code that has not run yet takes several times as long.
 */
export async function timeReaders(
  { url, send }: Tributary,
  program: Program,
  { clicks_per_second, warm_up_seconds, stretches, seconds }: Flood,
) {
  const floodSeconds = stretches * seconds
  const warmAt = performance.now() + warm_up_seconds * 1_000
  const flood = Bun.spawn(
    [
      ...[process.execPath, join(import.meta.dir, "click-flood.ts")],
      ...[url, `${clicks_per_second}`, `${warm_up_seconds}`, `${floodSeconds}`],
      `${program.partners}`,
    ],
    { stdout: "pipe", stderr: "inherit" },
  )
  let isFlooding = true
  const floodResult = new Response(flood.stdout).json().finally(() => {
    isFlooding = false
  })

  const paths = {
    page_1: `/api/tracking/events/${program.id}?page=1`,
    performance_90d: `/api/tracking/performance/${program.id}?period=90d`,
  }
  const emptyStretches = () => Array.from({ length: stretches }, (): number[] => [])
  const times = { page_1: emptyStretches(), performance_90d: emptyStretches() }
  let behind = 0
  const read = async () => {
    while (isFlooding) {
      for (const name of ["page_1", "performance_90d"] as const) {
        const start = performance.now()
        const { meta } = await send("GET", paths[name], program.session)
        if (meta.appliedUntil) behind++
        const stretch = Math.floor((start - warmAt) / (seconds * 1_000))
        times[name][stretch]?.push(performance.now() - start) // else warm-up or end
      }
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  const { answered } = (await floodResult) as { answered: number }
  return {
    clicks_per_second: Math.round(answered / floodSeconds),
    warm_up_seconds,
    seconds,
    readers: READERS,
    times: {
      page_1: times.page_1.map(summarize),
      performance_90d: times.performance_90d.map(summarize),
    },
    behind,
  }
}

const summarize = (times: number[]) => ({
  answers: times.length,
  p50_ms: quantile(times, 0.5),
  p99_ms: quantile(times, 0.99),
})

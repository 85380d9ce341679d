import { cpuBetween, usage } from "../processes"
import { startReplica } from "../replicas"
import { type Bench, pauseDelivery } from "./with-system"

const WORKSPACES = 20 // with an endpoint each: one takes four attempts at a time
const WARM_UP_SHARE = 0.2
const POLL_MS = 20
const PATH = "drain"

/**
 * Lets events wait in their owner's feed while delivery is stopped, and measures how fast it reads,
 * numbers, publishes and delivers them, one delivery each.
 */
export async function measureDrain(bench: Bench, replicas: number, events: number) {
  const { system, environment, newWorkspace } = bench
  const programs: number[] = []
  for (let i = 0; i < WORKSPACES; i++) {
    programs.push((await newWorkspace(`drain-${i}`, [PATH])).program_id)
  }
  const others = await Promise.all(
    Array.from({ length: replicas - 1 }, () => startReplica(system, "delivery", environment)),
  )
  await drain(bench, programs, events * WARM_UP_SHARE)
  const before = usage(system.dataDir)
  const seconds = await drain(bench, programs, events)
  const cpu_seconds = cpuBetween(before, usage(system.dataDir))
  await Promise.all(others.map(({ stop }) => stop()))
  const cpu_us = (part: string) => (cpu_seconds[part]! / events) * 1e6
  return {
    replicas,
    events,
    per_second: events / seconds,
    delivery_us: cpu_us("delivery"), // of the first replica alone
    postgres_us: cpu_us("postgres"),
  }
}

/** Returns how many seconds it took. */
async function drain(bench: Bench, programs: number[], events: number): Promise<number> {
  const expected = bench.receiver.received(PATH).length + events
  const resume = await pauseDelivery(bench)
  await bench.happen(programs, events / programs.length)
  const start = performance.now()
  await resume()
  while (bench.receiver.received(PATH).length < expected) await Bun.sleep(POLL_MS)
  return (performance.now() - start) / 1_000
}

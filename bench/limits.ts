import { join } from "node:path"
import type { Subprocess } from "bun"
import { freePort } from "../deploy/port"
import { NATS_RUNTIME } from "../deploy/servers"
import { BOUND } from "../deploy/unprivileged"
import { nats } from "../lib/bus/nats"
import { wrk } from "./load"

const AT_ONCE = 128

type Limits = {
  echoes_per_second: number // HTTP alone: what Elysia answers without doing anything
  round_trips_per_second: number // NATS alone, 128 at once
  round_trip_ms: number // the same, one at a time
}

/** What HTTP and NATS can do on this machine where nothing is done. */
export async function measureLimits(file: string, seconds: number) {
  const [port, nats_port] = [await freePort(), await freePort()]
  const nats_url = `nats://127.0.0.1:${nats_port}`
  const server = Bun.spawn([...BOUND, "nats-server", "-a", "127.0.0.1", "-p", `${nats_port}`], {
    env: { ...process.env, ...NATS_RUNTIME },
    stdio: ["ignore", "ignore", "ignore"],
  })
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "echo.ts")], {
    env: { ...process.env, PORT: `${port}`, NATS_URL: nats_url },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    await child.stdout.getReader().read() // it is ready
    return await measure(port, nats_url, file, seconds)
  } finally {
    await Promise.all([end(child), end(server)])
  }
}

async function measure(port: number, nats_url: string, file: string, seconds: number) {
  const echoes = await wrk(`http://127.0.0.1:${port}`, AT_ONCE, seconds, [file, "/echo"])
  const bus = await nats(nats_url)
  const ask = () => bus.send("bench.echo", '{"text":"echo"}', 5_000)

  const alone = await counted(1, seconds, ask)
  const together = await counted(AT_ONCE, seconds, ask)
  await bus.close()
  return {
    echoes_per_second: echoes.per_second,
    round_trips_per_second: together / seconds,
    round_trip_ms: (seconds * 1_000) / alone,
  } satisfies Limits
}

/** How often so many callers have been answered in so much time. */
async function counted(callers: number, seconds: number, ask: () => Promise<unknown>) {
  const end = performance.now() + seconds * 1_000
  let count = 0
  const caller = async () => {
    for (; performance.now() < end; count++) await ask()
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return count
}

async function end(child: Subprocess) {
  child.kill()
  await child.exited
}

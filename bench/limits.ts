import { join } from "node:path"
import type { Subprocess } from "bun"
import { freePort } from "../deploy/port"
import { NATS_RUNTIME } from "../deploy/servers"
import { DIES_WITH_PARENT } from "../deploy/unprivileged"
import { nats } from "../lib/bus/nats"
import { wrk } from "./load"

const CONCURRENCY = 128

type Limits = {
  echoes_per_second: number // HTTP alone: Elysia, without any work
  round_trips_per_second: number // NATS alone, 128 at once
  round_trip_ms: number // NATS alone, one at a time
}

/** What HTTP and NATS can do on this machine without any work behind them. */
export async function measureLimits(file: string, seconds: number) {
  const [port, natsPort] = [await freePort(), await freePort()]
  const natsUrl = `nats://127.0.0.1:${natsPort}`
  const server = Bun.spawn(
    [...DIES_WITH_PARENT, "nats-server", "-a", "127.0.0.1", "-p", `${natsPort}`],
    {
      env: { ...process.env, ...NATS_RUNTIME },
      stdio: ["ignore", "ignore", "ignore"],
    },
  )
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "echo.ts")], {
    env: { ...process.env, PORT: `${port}`, NATS_URL: natsUrl },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    await child.stdout.getReader().read() // it prints a line when it is ready
    return await measure(port, natsUrl, file, seconds)
  } finally {
    await Promise.all([end(child), end(server)])
  }
}

async function measure(port: number, natsUrl: string, file: string, seconds: number) {
  const echoes = await wrk(`http://127.0.0.1:${port}`, CONCURRENCY, seconds, [file, "/echo"])
  const bus = await nats(natsUrl)
  const request = () => bus.send("bench.echo", '{"text":"echo"}', 5_000)

  const alone = await countReplies(1, seconds, request)
  const together = await countReplies(CONCURRENCY, seconds, request)
  await bus.close()
  return {
    echoes_per_second: echoes.per_second,
    round_trips_per_second: together / seconds,
    round_trip_ms: (seconds * 1_000) / alone,
  } satisfies Limits
}

/** How many replies this many callers receive in this time. */
async function countReplies(callers: number, seconds: number, request: () => Promise<unknown>) {
  const end = performance.now() + seconds * 1_000
  let count = 0
  const caller = async () => {
    for (; performance.now() < end; count++) await request()
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return count
}

async function end(child: Subprocess) {
  child.kill()
  await child.exited
}

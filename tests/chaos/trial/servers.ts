import { join } from "node:path"
import { claimDataDir } from "../../../deploy/data-dir"
import { PART_NAMES } from "../../../deploy/part"
import { embeddedPostgres } from "../../../deploy/postgres"
import { natsServer, redisServer } from "../../../deploy/servers"
import { natsUrlVariable } from "../../../deploy/settings"
import { type Stop, supervisor } from "../../../deploy/supervisor"
import { proxyTo } from "./proxy"

const STOP_MS = 3_000

/**
 * Starts the servers as `npm start` does, each behind a proxy. Parts connect to the proxies.
 * `environment` is PostgreSQL's.
 */
export async function serversBehindProxies(folder: string, environment: Record<string, string>) {
  const data_dir = claimDataDir(join(folder, "servers"))
  const supervise = supervisor(data_dir)
  const stops: Stop[] = []

  const postgres = await embeddedPostgres(data_dir, environment)
  stops.push(await supervise("postgres", 0, postgres.spawn))
  await postgres.ready()
  const nats = await natsServer(data_dir)
  stops.push(await supervise("nats", 0, nats.spawn))
  const redis = await redisServer(data_dir)
  if (redis) stops.push(await supervise("redis", 0, redis.spawn))

  const proxies = {
    postgres: await proxyTo(portOf(postgres.url())),
    nats: await proxyTo(portOf(nats.urls.operator!)),
    ...(redis && { redis: await proxyTo(portOf(redis.url)) }),
  }
  const addresses = {
    DATABASE_URL: through(proxies.postgres, postgres.url()),
    ...Object.fromEntries(
      PART_NAMES.map(part => [natsUrlVariable(part), through(proxies.nats, nats.urls[part]!)]),
    ),
    ...(redis && { REDIS_URL: through(proxies.redis!, redis.url) }),
  }

  return {
    data_dir: data_dir.root,
    environment: addresses,
    proxies,
    async stop() {
      for (const proxy of Object.values(proxies)) proxy.close()
      await Promise.all(stops.map(stop => stop(STOP_MS)))
      data_dir.lock.close()
    },
  }
}

const portOf = (url: string) => Number(new URL(url).port)

function through({ port }: { port: number }, url: string): string {
  return Object.assign(new URL(url), { port }).href
}

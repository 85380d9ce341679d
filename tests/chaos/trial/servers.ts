import { join } from "node:path"
import { claimDataDir } from "../../../deploy/data-dir"
import { embeddedPostgres } from "../../../deploy/postgres"
import { natsServer, redisServer } from "../../../deploy/servers"
import { type Stop, supervisor } from "../../../deploy/supervisor"
import { proxyTo } from "./proxy"

const STOP_MS = 3_000

/** Servers as `npm start` runs them, and before each a proxy that the parts are told of. */
export async function serversBehindProxies(folder: string) {
  const data_dir = claimDataDir(join(folder, "servers"))
  const keep = supervisor(data_dir)
  const stops: Stop[] = []

  const postgres = await embeddedPostgres(data_dir)
  stops.push(await keep("postgres", 0, postgres.spawn))
  await postgres.ready()
  const nats = await natsServer(data_dir)
  stops.push(await keep("nats", 0, nats.spawn))
  const redis = await redisServer(data_dir)
  if (redis) stops.push(await keep("redis", 0, redis.spawn))

  const urls = {
    DATABASE_URL: postgres.url(),
    NATS_URL: nats.url,
    ...(redis && { REDIS_URL: redis.url }),
  }
  const proxied = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => {
      const proxy = await proxyTo(Number(new URL(url).port))
      const address = new URL(url)
      address.port = String(proxy.port)
      return { name, proxy, address: address.href }
    }),
  )
  const proxyOf = (name: keyof typeof urls) => proxied.find(proxied => proxied.name === name)?.proxy

  return {
    data_dir: data_dir.root,
    environment: Object.fromEntries(proxied.map(({ name, address }) => [name, address])),
    proxies: { postgres: proxyOf("DATABASE_URL")!, nats: proxyOf("NATS_URL")! },
    async stop() {
      for (const { proxy } of proxied) proxy.close()
      await Promise.all(stops.map(stop => stop(STOP_MS)))
      data_dir.lock.close()
    },
  }
}

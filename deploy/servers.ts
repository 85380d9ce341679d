import type { DataDir } from "./data-dir"
import { randomText } from "./data-dir"
import { freePort } from "./port"
import type { Spawn } from "./supervisor"
import { BOUND } from "./unprivileged"

type Server = { url: string; spawn: Spawn }

/** A NATS of our own, on loopback, that asks for a token. Restarts keep its address. */
export async function natsServer(data_dir: DataDir): Promise<Server> {
  const program = Bun.which("nats-server")
  if (!program) {
    throw new Error(
      "PROCESSES=separate needs NATS: install nats-server (apt-get install nats-server," +
        " brew install nats-server, https://nats.io/download) or set NATS_URL.",
    )
  }

  const [port, token] = [await freePort(), randomText()]
  data_dir.write("nats.conf", `listen: "127.0.0.1:${port}"\nauthorization { token: "${token}" }\n`)
  return {
    url: `nats://${token}@127.0.0.1:${port}`,
    spawn: () => server([program, "--config", data_dir.at("nats.conf")]),
  }
}

/** A Redis of our own, likewise, that keeps nothing on the disk. Null where there is none. */
export async function redisServer(data_dir: DataDir): Promise<Server | null> {
  const program = Bun.which("redis-server")
  if (!program) return null

  const [port, password] = [await freePort(), randomText()]
  const settings = [
    "bind 127.0.0.1",
    `port ${port}`,
    `requirepass ${password}`,
    'save ""',
    "appendonly no",
  ]
  data_dir.write("redis.conf", `${settings.join("\n")}\n`)
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    spawn: () => server([program, data_dir.at("redis.conf")]),
  }
}

const server = (command: string[]) =>
  Bun.spawn([...BOUND, ...command], { stdio: ["ignore", "ignore", "ignore"], detached: true })

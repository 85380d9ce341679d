import { join } from "node:path"
import type { DataDir } from "./data-dir"
import { randomText } from "./data-dir"
import { freePort } from "./port"
import type { Spawn } from "./supervisor"
import { DIES_WITH_PARENT } from "./unprivileged"

type Server = { url: string; spawn: Spawn }
type Environment = Record<string, string>

const NATS_CONF = join(import.meta.dir, "nats.conf")
/** It keeps next to nothing, and would collect that all the time. */
export const NATS_RUNTIME = { GOGC: "400" }

/**
 * A NATS of our own, on loopback, with the users of nats.conf. Restarts keep its address and their
 * passwords. DATA_DIR/nats.json tells operators the URL of each user.
 */
export async function natsServer(data_dir: DataDir) {
  const program = Bun.which("nats-server")
  if (!program) {
    throw new Error(
      "PROCESSES=separate needs NATS: install nats-server (apt-get install nats-server," +
        " brew install nats-server, https://nats.io/download) or set NATS_URL.",
    )
  }

  const port = `${await freePort()}`
  const urls: Environment = {}
  const passwords: Environment = {}
  for (const [, user, variable] of (await Bun.file(NATS_CONF).text()).matchAll(USER)) {
    const password = randomText()
    urls[user!] = `nats://${user}:${password}@127.0.0.1:${port}`
    passwords[variable!] = `"${password}"` // it is read as a value of the file: not as a number
  }
  data_dir.write("nats.json", `${JSON.stringify(urls)}\n`)
  const command = [program, "--config", NATS_CONF, "--addr", "127.0.0.1", "--port", port]
  return { urls, spawn: () => server(command, { ...NATS_RUNTIME, ...passwords }) }
}

const USER = /"user": "(\w+)",\s+"password": \$(\w+)/g

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

const server = (command: string[], environment: Environment = {}) =>
  Bun.spawn([...DIES_WITH_PARENT, ...command], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  })

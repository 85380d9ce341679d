import { join } from "node:path"
import type { DataDir } from "./data-dir"
import { randomText } from "./data-dir"
import { freePort } from "./port"
import type { Spawn } from "./supervisor"
import { DIES_WITH_PARENT } from "./unprivileged"

type Server = { url: string; spawn: Spawn }
type Environment = Record<string, string>

const NATS_CONF = join(import.meta.dir, "nats.conf")
/** Less garbage collection: NATS keeps little in memory, so each collection frees little. */
export const NATS_RUNTIME = { GOGC: "400" }

/**
 * Prepares an embedded NATS on loopback, with the users of nats.conf (behaviour 9.3). Restarts keep
 * its address and passwords. DATA_DIR/nats.json holds the URL of each user for operators.
 */
export async function natsServer(dataDir: DataDir) {
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
    passwords[variable!] = `"${password}"` // quoted, so that it is never a number
  }
  dataDir.write("nats.json", `${JSON.stringify(urls)}\n`)
  const command = [program, "--config", NATS_CONF, "--addr", "127.0.0.1", "--port", port]
  return { urls, spawn: () => server(command, { ...NATS_RUNTIME, ...passwords }) }
}

const USER = /"user": "(\w+)",\s+"password": \$(\w+)/g

/** Prepares an embedded Redis on loopback, without persistence. Null: it is not installed. */
export async function redisServer(dataDir: DataDir): Promise<Server | null> {
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
  dataDir.write("redis.conf", `${settings.join("\n")}\n`)
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    spawn: () => server([program, dataDir.at("redis.conf")]),
  }
}

const server = (command: string[], environment: Environment = {}) =>
  Bun.spawn([...DIES_WITH_PARENT, ...command], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  })

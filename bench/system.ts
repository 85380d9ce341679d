import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../deploy/port"
import { DIES_WITH_PARENT } from "../deploy/unprivileged"

const STOP_TIMEOUT_MS = 15_000
const ROOT = join(import.meta.dir, "..")

export type System = Awaited<ReturnType<typeof startSystem>>

/** Starts Tributary as operators do, with one process per part, in a new data folder. */
export async function startSystem(environment: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const env = {
    ...process.env,
    ...SETTINGS,
    DATA_DIR: dataDir,
    PORT: `${await freePort()}`,
    ...environment,
  }
  const child = Bun.spawn([...DIES_WITH_PARENT, process.execPath, "deploy/local.ts"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const url = await readyUrl(child.stdout).catch(async error => {
    await rm(dataDir, { recursive: true, force: true }) // the process has already ended
    throw error
  })
  const urls = await Bun.file(join(dataDir, "postgres.json")).json()
  const { url: databaseUrl, socket_url: socketUrl } = urls as {
    url: string
    socket_url: string | null
  }
  const sql = postgres(databaseUrl, {
    max: 2,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    onnotice: () => {},
  })

  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= end()
    return stopping
  }
  async function end() {
    await sql.end({ timeout: 1 })
    child.kill("SIGTERM")
    const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS)
    await child.exited
    clearTimeout(killTimer)
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url, dataDir, databaseUrl, socketUrl, sql, stop }
}

/** Settings of production, but without rate limits and with only problems logged. */
const SETTINGS = {
  PROCESSES: "separate",
  REPLICAS: "1",
  DATABASE_URL: "",
  NATS_URL: "",
  REDIS_URL: "",
  PUBLIC_URL: "",
  DEMO: "off",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
}

/**
 * Resolves with the URL once Tributary is ready. Later output reports problems: it goes to stderr.
 */
function readyUrl(stream: ReadableStream<Uint8Array>): Promise<string> {
  const ready = Promise.withResolvers<string>()
  const decoder = new TextDecoder()
  let text = ""
  let url: string | undefined

  async function read() {
    for await (const chunk of stream) {
      const output = decoder.decode(chunk, { stream: true })
      if (url) process.stderr.write(output)
      else text += output
      url ??= READY.exec(text)?.[1]
      if (url) ready.resolve(url.replace("localhost", "127.0.0.1"))
    }
    ready.reject(new Error(`Tributary did not start: ${text}`))
  }
  void read()
  return ready.promise
}

const READY = /Tributary is ready: (\S+)/

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../deploy/port"
import { BOUND } from "../deploy/unprivileged"

const END_WITHIN_MS = 15_000
const ROOT = join(import.meta.dir, "..")

export type System = Awaited<ReturnType<typeof startSystem>>

/** Starts Tributary as operators do, each part a process of its own, on nobody else's data. */
export async function startSystem(environment: Record<string, string> = {}) {
  const data_dir = await mkdtemp(join(tmpdir(), "tributary-bench-"))
  const env = {
    ...process.env,
    ...USUAL,
    DATA_DIR: data_dir,
    PORT: `${await freePort()}`,
    ...environment,
  }
  const child = Bun.spawn([...BOUND, process.execPath, "deploy/local.ts"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const url = await readyUrl(child.stdout).catch(async error => {
    await rm(data_dir, { recursive: true, force: true }) // it has ended by itself
    throw error
  })
  const urls = await Bun.file(join(data_dir, "postgres.json")).json()
  const { url: database_url, socket_url } = urls as { url: string; socket_url: string | null }
  const sql = postgres(database_url, {
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
    const impatience = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS)
    await child.exited
    clearTimeout(impatience)
    await rm(data_dir, { recursive: true, force: true })
  }
  return { url, data_dir, database_url, socket_url, sql, stop }
}

/** As in production, but for what would stop a load: limits. A line is logged for each problem. */
const USUAL = {
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

/** Resolves when it is ready; what it says afterwards, problems, is for whoever looks on. */
function readyUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  const ready = Promise.withResolvers<string>()
  const decoder = new TextDecoder()
  let text = ""
  let url: string | undefined

  async function listen() {
    for await (const chunk of output) {
      const said = decoder.decode(chunk, { stream: true })
      if (url) process.stderr.write(said)
      else text += said
      url ??= READY.exec(text)?.[1]
      if (url) ready.resolve(url.replace("localhost", "127.0.0.1"))
    }
    ready.reject(new Error(`Tributary did not start: ${text}`))
  }
  void listen()
  return ready.promise
}

const READY = /Tributary is ready: (\S+)/

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
  const url = await readyUrl(child.stdout)
  const { url: database_url } = await Bun.file(join(data_dir, "postgres.json")).json()
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
  return { url, data_dir, database_url: database_url as string, sql, stop }
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

async function readyUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = ""
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk)
    const [, url] = /Tributary is ready: (\S+)/.exec(text) ?? []
    if (url) return url.replace("localhost", "127.0.0.1")
  }
  throw new Error(`Tributary did not start: ${text}`)
}

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../../deploy/port"
import { DIES_WITH_PARENT } from "../../deploy/unprivileged"
import { httpClient } from "../../tests/support/http"

const READY = /Tributary is ready: (\S+)/

export type Database = postgres.Sql<{ bigint: number }>
export type Tributary = Awaited<ReturnType<typeof startTributary>>

/**
 * Starts a separate Tributary as operators do: one process per part if nats-server is installed.
 * Its PostgreSQL runs pg_stat_statements and is otherwise unchanged.
 */
export async function startTributary() {
  const dataDir = await mkdtemp(join(tmpdir(), "tributary-bench-reports-"))
  const isSeparate = Bun.which("nats-server") !== null
  const environment = {
    ...{ PORT: String(await freePort()), DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "warn" },
    ...{ PROCESSES: isSeparate ? "separate" : "one", REPLICAS: "1", RATE_LIMITS: "off" },
    ...{ DATABASE_URL: "", NATS_URL: "", REDIS_URL: "", PUBLIC_URL: "" },
  }
  const first = await run(environment)
  const setup = await databaseOf(dataDir)
  await setup`alter system set shared_preload_libraries = 'pg_stat_statements'`
  await setup.end()
  await first.stop()

  let running = await run(environment)
  const { url } = running // the port stays the same after a restart
  let sql = await databaseOf(dataDir)
  await sql`create extension pg_stat_statements`
  await sql`alter system set pg_stat_statements.track_planning = on`
  await sql`select pg_reload_conf()`

  const request = httpClient(url)

  async function send(method: string, path: string, token?: string, body?: object) {
    const reply = await request(method, path, { token, body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  /** The memory of the process that runs reporting. */
  async function reportingMb(): Promise<number> {
    const processes: ProcessEntry[] = await Bun.file(join(dataDir, "processes.json")).json()
    const reporting = processes.find(({ name }) => name === "reporting")
    const status = await Bun.file(`/proc/${reporting?.pid ?? running.pid}/status`).text()
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
  }

  /** Turns pg_stat_statements off: it costs concurrent readers a tenth of their throughput. */
  async function stopStatementStatistics() {
    await sql`alter system set pg_stat_statements.track = 'none'`
    await sql`alter system set pg_stat_statements.track_planning = off`
    await sql`select pg_reload_conf()`
  }

  async function stop() {
    await sql`checkpoint` // otherwise PostgreSQL stops more slowly than the launcher waits
    await sql.end({ timeout: 1 })
    await running.stop()
  }

  /** Restarts with the same data in one process without NATS, as `npm start` does. */
  async function restartInOneProcess() {
    await stop()
    running = await run({ ...environment, PROCESSES: "one" })
    sql = await databaseOf(dataDir)
  }

  /** Stops everything and removes the data folder. */
  async function remove() {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    url,
    databaseUrl: await databaseUrlIn(dataDir),
    /** The current pool: a restart replaces it. */
    get sql() {
      return sql
    },
    send,
    reportingMb,
    isSeparate,
    stopStatementStatistics,
    restartInOneProcess,
    remove,
  }
}

type ProcessEntry = { name: string; pid: number }

async function run(environment: Record<string, string>) {
  const root = join(import.meta.dir, "../..")
  const child = Bun.spawn([...DIES_WITH_PARENT, process.execPath, "deploy/local.ts"], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await child.exited
  }
  const url = await readyUrl(child.stdout)
  return { url, pid: child.pid, stop }
}

/**
 * Resolves with the URL once Tributary is ready, and keeps reading so the launcher never blocks.
 */
function readyUrl(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ""
    const read = async () => {
      for await (const chunk of stream) {
        output += new TextDecoder().decode(chunk)
        const [, url] = READY.exec(output) ?? []
        if (url) resolve(url)
      }
      reject(new Error(`Tributary did not start: ${output}`))
    }
    read().catch(reject)
  })
}

async function databaseOf(dataDir: string): Promise<Database> {
  return postgres(await databaseUrlIn(dataDir), {
    max: 4,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { timezone: "UTC" },
    onnotice: () => {},
  })
}

async function databaseUrlIn(dataDir: string): Promise<string> {
  return (await Bun.file(join(dataDir, "postgres.json")).json()).url
}

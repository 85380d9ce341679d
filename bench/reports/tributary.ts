import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../../deploy/port"
import { BOUND } from "../../deploy/unprivileged"

const READY = /Tributary is ready: (\S+)/

export type Database = postgres.Sql<{ bigint: number }>
export type Tributary = Awaited<ReturnType<typeof startTributary>>

/**
 * A Tributary of our own, as operators start it: each part a process, where there is a nats-server.
 * Its PostgreSQL counts what each statement costs and is left as it is otherwise.
 */
export async function startTributary() {
  const data_dir = await mkdtemp(join(tmpdir(), "tributary-bench-reports-"))
  const is_separate = Bun.which("nats-server") !== null
  const environment = {
    ...{ PORT: String(await freePort()), DATA_DIR: data_dir, DEMO: "off", LOG_LEVEL: "warn" },
    ...{ PROCESSES: is_separate ? "separate" : "one", REPLICAS: "1", RATE_LIMITS: "off" },
    ...{ DATABASE_URL: "", NATS_URL: "", REDIS_URL: "", PUBLIC_URL: "" },
  }
  const first = await run(environment)
  const before = await databaseOf(data_dir)
  await before`alter system set shared_preload_libraries = 'pg_stat_statements'`
  await before.end()
  await first.stop()

  let running = await run(environment)
  const { url } = running // its port stays what it is
  let sql = await databaseOf(data_dir)
  await sql`create extension pg_stat_statements`
  await sql`alter system set pg_stat_statements.track_planning = on`
  await sql`select pg_reload_conf()`

  async function send(method: string, path: string, token?: string, body?: object) {
    const authorization = token && `Bearer ${token}`
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      body: JSON.stringify(body),
    })
    const answered = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answered)}`)
    return answered
  }

  /** The memory of the process in which reporting runs. */
  async function reportingMb(): Promise<number> {
    const processes: Listed[] = await Bun.file(join(data_dir, "processes.json")).json()
    const reporting = processes.find(({ name }) => name === "reporting")
    const status = await Bun.file(`/proc/${reporting?.pid ?? running.pid}/status`).text()
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
  }

  /** Counts no statement any more: counting costs readers in a crowd a tenth of their answers. */
  async function stopMeter() {
    await sql`alter system set pg_stat_statements.track = 'none'`
    await sql`alter system set pg_stat_statements.track_planning = off`
    await sql`select pg_reload_conf()`
  }

  async function stop() {
    await sql`checkpoint` // else PostgreSQL would write for longer than the launcher waits for it
    await sql.end({ timeout: 1 })
    await running.stop()
  }

  /** Starts it again with all that it has, as `npm start` does: without NATS. */
  async function restartInOneProcess() {
    await stop()
    running = await run({ ...environment, PROCESSES: "one" })
    sql = await databaseOf(data_dir)
  }

  /** Leaves nothing behind. */
  async function end() {
    await stop()
    await rm(data_dir, { recursive: true, force: true })
  }
  return {
    url,
    /** Another one after a restart. */
    get sql() {
      return sql
    },
    send,
    reportingMb,
    is_separate,
    stopMeter,
    restartInOneProcess,
    end,
  }
}

type Listed = { name: string; pid: number }

async function run(environment: Record<string, string>) {
  const root = join(import.meta.dir, "../..")
  const child = Bun.spawn([...BOUND, process.execPath, "deploy/local.ts"], {
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

/** Goes on reading afterwards, so that the launcher can always write. */
function readyUrl(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ""
    const listen = async () => {
      for await (const chunk of stream) {
        output += new TextDecoder().decode(chunk)
        const [, url] = READY.exec(output) ?? []
        if (url) resolve(url)
      }
      reject(new Error(`Tributary did not start: ${output}`))
    }
    listen().catch(reject)
  })
}

async function databaseOf(data_dir: string): Promise<Database> {
  const { url } = await Bun.file(join(data_dir, "postgres.json")).json()
  return postgres(url, {
    max: 4,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { timezone: "UTC" },
    onnotice: () => {},
  })
}

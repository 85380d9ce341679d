import { existsSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import postgres from "postgres"
import type { System } from "./system"

const POLL_MS = 10
const TIMEOUT_MS = 60_000

export const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

/** The pids of a server, or of both replicas of a part. */
export const pidsOf = (system: System, name: string): number[] =>
  system.processes().flatMap(process => (process.name === name ? [process.pid] : []))

/** A server process and its children. PostgreSQL has one child for each connection. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return [pid, ...children.split(" ").filter(Boolean).map(Number)]
}

/** The pid of the PostgreSQL backend that stored the latest clicks. */
export async function clickBackend({ sql }: System): Promise<number> {
  const [writer] = await sql<[{ pid: number }]>`
    select pid
    from pg_stat_activity
    where query like '%as affiliate_url%' -- PostgreSQL keeps only the beginning
      and pid <> pg_backend_pid()
    order by state_change desc
    limit 1
  `
  return writer.pid
}

/** Sends a signal to a process, unless it has ended already. */
export function signal(pid: number, name: NodeJS.Signals) {
  if (isAlive(pid)) process.kill(pid, name)
}

/** Waits until a condition is true. Returns the time, in ms since 1970. Throws after a minute. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<number> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("The system did not come back within a minute.")
    await Bun.sleep(POLL_MS)
  }
  return Date.now()
}

/** Whether PostgreSQL accepts connections. */
export async function postgresAccepts({ database_url }: System): Promise<boolean> {
  const sql = postgres(database_url, { max: 1, connect_timeout: 1, fetch_types: false })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {})
  }
}

/** Whether NATS accepts connections: it sends a greeting on each. */
export function natsAccepts({ nats_port }: System): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(nats_port, "127.0.0.1")
  socket.setTimeout(1_000, () => resolve(false))
  socket.on("data", () => resolve(true))
  socket.on("error", () => resolve(false))
  socket.on("close", () => resolve(false))
  return promise.finally(() => socket.destroy())
}

import { existsSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import postgres from "postgres"
import type { System } from "./system"

const ASK_AGAIN_AFTER_MS = 10
const PATIENCE_MS = 60_000

export const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

/** The processes of a part or a server: of a part, both replicas. */
export const pidsOf = (system: System, name: string): number[] =>
  system.processes().flatMap(process => (process.name === name ? [process.pid] : []))

/** A server process and its children: PostgreSQL has one for each connection. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return [pid, ...children.split(" ").filter(Boolean).map(Number)]
}

/** The PostgreSQL process that wrote the last clicks, of one replica of tracking. */
export async function clickWriter({ sql }: System): Promise<number> {
  const [writer] = await sql<[{ pid: number }]>`
    select pid
    from pg_stat_activity
    where query like '%as affiliate_url%' -- only its beginning is kept
      and pid <> pg_backend_pid()
    order by state_change desc
    limit 1
  `
  return writer.pid
}

/** A process may be gone already, which is all that is wanted of it. */
export function signal(pid: number, name: NodeJS.Signals) {
  if (isAlive(pid)) process.kill(pid, name)
}

/** Resolves at the moment at which `isSo` first holds. */
export async function momentOf(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error("The system does not come back within a minute.")
    await Bun.sleep(ASK_AGAIN_AFTER_MS)
  }
  return Date.now()
}

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

/** NATS greets whoever connects. */
export function natsAccepts({ nats_port }: System): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(nats_port, "127.0.0.1")
  socket.setTimeout(1_000, () => resolve(false))
  socket.on("data", () => resolve(true))
  socket.on("error", () => resolve(false))
  socket.on("close", () => resolve(false))
  return promise.finally(() => socket.destroy())
}

import { mkdirSync, openSync, rmSync } from "node:fs"
import postgres from "postgres"
import type { DataDir } from "./data-dir"
import { freePort } from "./port"
import { cluster } from "./postgres-cluster"
import { postgresPackage } from "./postgres-package"
import { unprivileged } from "./unprivileged"

const DATABASE = "tributary"
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  max_connections: 400, // eight replicas of four services with 46 in all, and people
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  min_wal_size: "256MB", // files that were made once are used again
  max_wal_size: "1GB", // as is usual; initdb writes a quarter of it for files of 4 MB
}
const SOCKET_PATH_MAX_BYTES = 103 // of macOS; Linux has four more
const TRIES = 6 // its port or its memory may be "still in use" for a moment
const START_TIMEOUT_MS = 60_000 // recovery after a crash is part of it
const ASK_AGAIN_AFTER_MS = 20

/**
 * A PostgreSQL of our own, in DATA_DIR/postgres. `spawn()` runs it, and runs it again on the port
 * that its clients know by then. `ready()` waits for the first answer.
 * Our own parts come through a Unix socket, which takes both sides less of a core than TCP does.
 * DATA_DIR/postgres.json tells operators the superuser's URLs.
 */
export async function embeddedPostgres(data_dir: DataDir) {
  const programs = postgresPackage()
  const { wrapper, uid } = unprivileged([
    [programs.postgres, "--version"],
    ["test", "-w", data_dir.root],
  ])
  const initdb = [...wrapper, programs.initdb]
  const { user, password, folder, is_new, endLeftover } = cluster(data_dir, initdb, uid)
  const log = openSync(data_dir.at("postgres.log"), "a", 0o600)

  let port = 0
  let tries = 0
  let is_ready = false
  let sockets = socketFolder(data_dir)
  const urlOf = (name: string, host = "127.0.0.1") =>
    `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${name}`
  const socketUrl = () => sockets && urlOf(DATABASE, sockets)

  async function spawn() {
    tries++
    await endLeftover()
    if (tries > 1 && !is_ready) sockets = null // the file system may know no sockets
    if (sockets) empty(sockets) // whoever was killed has left its own
    if (!is_ready) port = await freePort()
    return Bun.spawn([...wrapper, programs.postgres, "-D", folder, ...options(port, sockets)], {
      env: { PATH: process.env.PATH },
      stdio: ["ignore", log, log],
      detached: true, // a Ctrl-C is for us to pass on, and to PostgreSQL last
    })
  }

  async function ready() {
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await hasDatabase(urlOf("postgres")))) {
      if (tries > TRIES || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${lastWords(data_dir)}`)
      }
      await Bun.sleep(ASK_AGAIN_AFTER_MS)
    }
    is_ready = true
    const urls = { url: urlOf(DATABASE), socket_url: socketUrl() }
    data_dir.write("postgres.json", `${JSON.stringify(urls)}\n`)
  }

  return { spawn, ready, is_new, url: () => urlOf(DATABASE), socketUrl }
}

/** Where sockets are. Null: their paths would be too long. */
function socketFolder(data_dir: DataDir): string | null {
  const folder = data_dir.at("sockets")
  return Buffer.byteLength(`${folder}/.s.PGSQL.65535`) > SOCKET_PATH_MAX_BYTES ? null : folder
}

function empty(folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
}

function options(port: number, sockets: string | null) {
  const unix_socket_directories = sockets ? `"${sockets.replaceAll('"', '""')}"` : ""
  const all = { ...SETTINGS, unix_socket_directories, port }
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
}

/** Makes our database in a new cluster. False while nobody answers. */
async function hasDatabase(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${DATABASE}`
    if (!found) await sql`create database ${sql(DATABASE)}`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const lastWords = (data_dir: DataDir) => data_dir.read("postgres.log").trim().split("\n").at(-1)

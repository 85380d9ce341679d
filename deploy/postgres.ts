import { mkdirSync, openSync, rmSync } from "node:fs"
import postgres from "postgres"
import type { DataDir } from "./data-dir"
import { freePort } from "./port"
import { prepareCluster } from "./postgres-cluster"
import { postgresPackage } from "./postgres-package"
import { unprivilegedLaunch } from "./unprivileged"

const DATABASE = "tributary"
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  max_connections: 400, // eight replicas of four services (46 together), and operators
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  min_wal_size: "256MB", // existing files are reused
  max_wal_size: "1GB", // the default; initdb sets a quarter of it because segments are 4 MB
}
const SOCKET_PATH_MAX_BYTES = 103 // on macOS; Linux allows four more
const TRIES = 6 // its port or its shared memory may be "still in use" for a moment
const START_TIMEOUT_MS = 60_000 // includes recovery after a crash
const POLL_MS = 20

/**
 * Prepares the embedded PostgreSQL in DATA_DIR/postgres (behaviour 9.3). `spawn()` starts it;
 * restarts keep the port that clients already know. `ready()` waits until it accepts queries.
 * The parts connect through a Unix socket, which needs less processor time than TCP.
 * DATA_DIR/postgres.json holds the superuser's URLs for operators.
 */
export async function embeddedPostgres(
  dataDir: DataDir,
  environment: Record<string, string> = {}, // of the server alone
) {
  const programs = postgresPackage()
  const { wrapper, uid } = unprivilegedLaunch([
    [programs.postgres, "--version"],
    ["test", "-w", dataDir.root],
  ])
  const initdb = [...wrapper, programs.initdb]
  const { user, password, folder, isNew, stopLeftover } = prepareCluster(dataDir, initdb, uid)
  const log = openSync(dataDir.at("postgres.log"), "a", 0o600)

  let port = 0
  let tries = 0
  let isReady = false
  let sockets = socketFolder(dataDir)
  const urlOf = (name: string, host = "127.0.0.1") =>
    `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${name}`
  const socketUrl = () => sockets && urlOf(DATABASE, sockets)

  async function spawn() {
    tries++
    await stopLeftover()
    if (tries > 1 && !isReady) sockets = null // the file system may not support sockets
    if (sockets) empty(sockets) // a killed server leaves its socket behind
    if (!isReady) port = await freePort()
    return Bun.spawn([...wrapper, programs.postgres, "-D", folder, ...options(port, sockets)], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ["ignore", log, log],
      detached: true, // keeps Ctrl-C away: PostgreSQL is stopped last
    })
  }

  async function ready() {
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await hasDatabase(urlOf("postgres")))) {
      if (tries > TRIES || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${lastLogLine(dataDir)}`)
      }
      await Bun.sleep(POLL_MS)
    }
    isReady = true
    const urls = { url: urlOf(DATABASE), socket_url: socketUrl() }
    dataDir.write("postgres.json", `${JSON.stringify(urls)}\n`)
  }

  return { spawn, ready, isNew, url: () => urlOf(DATABASE), socketUrl }
}

/** Returns the folder for sockets. Null: their paths would be too long. */
function socketFolder(dataDir: DataDir): string | null {
  const folder = dataDir.at("sockets")
  return Buffer.byteLength(`${folder}/.s.PGSQL.65535`) > SOCKET_PATH_MAX_BYTES ? null : folder
}

function empty(folder: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
}

function options(port: number, sockets: string | null) {
  const unix_socket_directories = sockets ? `"${sockets.replaceAll('"', '""')}"` : ""
  const settings = { ...SETTINGS, unix_socket_directories, port }
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
}

/** Creates the database in a new cluster. False: the server does not accept queries yet. */
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

const lastLogLine = (dataDir: DataDir) => dataDir.read("postgres.log").trim().split("\n").at(-1)

import {
  existsSync,
  lchownSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { join } from "node:path"
import type { DataDir } from "./data-dir"

const USER = "postgres"
const TIMEOUT_MS = 5_000
const WAL_SEGMENT_MB = 4 // all commits wait while one is created: 45 ms for the default 16 MB

/** Prepares the cluster in DATA_DIR: creates it with `initdb` if needed, owned by `uid`. */
export function prepareCluster(dataDir: DataDir, initdb: string[], uid: number) {
  const folder = dataDir.at("postgres")
  const password = dataDir.secret("postgres.password")

  const isNew = !existsSync(folder)
  if (isNew) create(folder, [...initdb, `--pwfile=${dataDir.at("postgres.password")}`])
  if (statSync(folder).uid !== uid) changeOwner(folder, uid)

  return { user: USER, password, folder, isNew, stopLeftover: () => stopLeftover(folder) }
}

/** Creates it under another name first, so that a crash leaves no half-created cluster. */
function create(folder: string, initdb: string[]) {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })

  const options = [
    `--pgdata=${unfinished}`,
    `--username=${USER}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    `--wal-segsize=${WAL_SEGMENT_MB}`,
  ]
  const env = { PATH: process.env.PATH }
  const { success, stderr } = Bun.spawnSync([...initdb, ...options], { env, stderr: "pipe" })
  if (!success) throw new Error(`Could not create the database: ${stderr.toString().trim()}`)
  renameSync(unfinished, folder)
}

/** Needed when PostgreSQL now runs as another user, for example after a move into a container. */
function changeOwner(path: string, uid: number) {
  if (process.getuid?.() !== 0) throw new Error(`${path} belongs to another user. Use that user.`)
  lchownSync(path, uid, uid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) changeOwner(join(path, entry.name), uid)
    else lchownSync(join(path, entry.name), uid, uid)
  }
}

/**
 * Stops a server that an earlier launcher left behind when it was killed. If the pid file names an
 * unrelated process, which has reused the id, only the file is removed.
 */
async function stopLeftover(folder: string) {
  const file = join(folder, "postmaster.pid")
  if (!existsSync(file)) return

  const pid = Number.parseInt(readFileSync(file, "utf8"), 10)
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    if (workingDirectoryOf(pid) !== folder) break
    process.kill(pid, signal)
    const deadline = Date.now() + TIMEOUT_MS
    while (workingDirectoryOf(pid) === folder && Date.now() < deadline) await Bun.sleep(20)
  }
  if (workingDirectoryOf(pid)) rmSync(file, { force: true })
}

/**
 * Returns the working directory of a process, which for PostgreSQL is its cluster. Null: there is
 * no such process, or the system has no /proc. PostgreSQL then checks the pid file itself.
 */
function workingDirectoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

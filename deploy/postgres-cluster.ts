import { existsSync, lchownSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import type { DataDir } from "./data-dir"
import { stopLeftover } from "./postgres-leftover"

const USER = "postgres"
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

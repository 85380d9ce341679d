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
const WAL_SEGMENT_MB = 4 // all commits wait while one is made: 45 ms for the usual 16 MB

/** The folder of a PostgreSQL in DATA_DIR: made by `initdb` where there is none, owned by `uid`. */
export function cluster(data_dir: DataDir, initdb: string[], uid: number) {
  const folder = data_dir.at("postgres")
  const password = data_dir.secret("postgres.password")

  const is_new = !existsSync(folder)
  if (is_new) create(folder, [...initdb, `--pwfile=${data_dir.at("postgres.password")}`])
  if (statSync(folder).uid !== uid) changeOwner(folder, uid)

  return { user: USER, password, folder, is_new, endLeftover: () => endLeftover(folder) }
}

/** Under another name first: what a crash left half-made is no cluster. */
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
  if (!success) throw new Error(`The database was not created: ${stderr.toString().trim()}`)
  renameSync(unfinished, folder)
}

/** The way to run it differs from last time's, as after a move into a container. */
function changeOwner(path: string, uid: number) {
  if (process.getuid?.() !== 0) throw new Error(`${path} belongs to another user: run as that one.`)
  lchownSync(path, uid, uid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) changeOwner(join(path, entry.name), uid)
    else lchownSync(join(path, entry.name), uid, uid)
  }
}

/** A server whose launcher was killed may still be ending, or the file may name a stranger. */
async function endLeftover(folder: string) {
  const file = join(folder, "postmaster.pid")
  if (!existsSync(file)) return

  const pid = Number.parseInt(readFileSync(file, "utf8"), 10)
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    if (workingFolderOf(pid) !== folder) break
    process.kill(pid, signal)
    const deadline = Date.now() + TIMEOUT_MS
    while (workingFolderOf(pid) === folder && Date.now() < deadline) await Bun.sleep(20)
  }
  if (workingFolderOf(pid)) rmSync(file, { force: true })
}

/** PostgreSQL works in its folder. Null of nobody, and where PostgreSQL itself has to judge. */
function workingFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

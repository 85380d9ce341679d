import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs"
import { join } from "node:path"

const STOP_MS_MAX = 5_000 // per signal
const POLL_MS = 20
const PID_MAX = 2 ** 31 - 1

/**
 * Stops a server that an earlier launcher left behind when it was killed. Removes a pid file that
 * would keep PostgreSQL from starting: one that is damaged, or that names another program, which
 * has reused the id. The caller has locked DATA_DIR, so no other launcher starts one meanwhile.
 * Without /proc (macOS), PostgreSQL checks the file itself.
 */
export async function stopLeftover(folder: string) {
  const file = join(folder, "postmaster.pid")
  if (!existsSync(file) || !existsSync("/proc/self")) return

  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    for (const pid of serversOn(folder)) send(signal, pid)
    const deadline = Date.now() + STOP_MS_MAX
    while (serversOn(folder).length > 0 && Date.now() < deadline) await Bun.sleep(POLL_MS)
  }
  if (preventsStart(file)) rmSync(file, { recursive: true, force: true })
}

/**
 * The servers that work on a cluster, whatever its pid file says. Their own processes are left
 * out, but not those of a server that has died.
 */
function serversOn(folder: string): number[] {
  const pids = readdirSync("/proc")
    .map(Number)
    .filter(pid => workingDirectoryOf(pid) === folder && statusOf(pid).Name === "postgres")
  return pids.filter(pid => !pids.includes(Number(statusOf(pid).PPid)))
}

/** Whether PostgreSQL would refuse to start because of a pid file, although no server runs. */
function preventsStart(file: string): boolean {
  const pid = Number.parseInt(textOf(file), 10)
  const isDamaged = !(pid > 0 && pid <= PID_MAX)
  return isDamaged || existsSync(`/proc/${pid}`)
}

/** Returns null for a process that has ended, or that another user started. */
function workingDirectoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

const statusOf = (pid: number): Record<string, string | undefined> =>
  Object.fromEntries(
    textOf(`/proc/${pid}/status`)
      .split("\n")
      .map(line => line.split(":\t")),
  )

/** Empty for a file that cannot be read: its process may just have ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

function send(signal: NodeJS.Signals, pid: number) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

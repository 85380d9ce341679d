import { existsSync, readdirSync, readFileSync } from "node:fs"
import type { Launcher } from "../support/launcher"

const TIMEOUT_MS = 5_000

/**
 * Notes the processes of a launcher. Returns a function to call after it has ended, which returns
 * the ids of those that still run, and of others that mention its folder. It waits up to five
 * seconds: the kernel signals children when their parent dies, and they stop in order.
 */
export async function trackProcesses({ data_dir, processes }: Launcher) {
  const listed = (await processes()).map(({ pid }) => pid)

  return async function remaining(): Promise<number[]> {
    const deadline = Date.now() + TIMEOUT_MS
    for (;;) {
      const alive = [...listed.filter(isAlive), ...processesThatMention(data_dir)]
      if (alive.length === 0 || Date.now() > deadline) return alive
      await Bun.sleep(50)
    }
  }
}

export const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

function processesThatMention(folder: string): number[] {
  const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name))
  return pids.filter(pid => pid !== String(process.pid) && mentions(pid, folder)).map(Number)
}

function mentions(pid: string, folder: string): boolean {
  try {
    const texts = ["cmdline", "environ"].map(file => readFileSync(`/proc/${pid}/${file}`, "utf8"))
    return texts.join().includes(folder)
  } catch {
    return false // the process has ended, or belongs to another user
  }
}

import { existsSync, readdirSync, readFileSync } from "node:fs"
import type { Launcher } from "../support/launcher"

const PATIENCE_MS = 5_000

/** The processes of a launcher that still live: those it listed, and whoever knows its folder. */
export async function tracesOf({ data_dir, processes }: Launcher) {
  const listed = (await processes()).map(({ pid }) => pid)

  /** Waits a little: the kernel tells children of their parent's death, and they end in order. */
  return async function remaining(): Promise<number[]> {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const alive = [...listed.filter(isAlive), ...processesThatKnow(data_dir)]
      if (alive.length === 0 || Date.now() > deadline) return alive
      await Bun.sleep(50)
    }
  }
}

export const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

function processesThatKnow(folder: string): number[] {
  const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name))
  return pids.filter(pid => pid !== String(process.pid) && knows(pid, folder)).map(Number)
}

function knows(pid: string, folder: string): boolean {
  try {
    const told = ["cmdline", "environ"].map(file => readFileSync(`/proc/${pid}/${file}`, "utf8"))
    return told.join().includes(folder)
  } catch {
    return false // it ended meanwhile, or is somebody else's
  }
}

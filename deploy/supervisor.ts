import type { Subprocess } from "bun"
import type { DataDir } from "./data-dir"

export type Supervise = ReturnType<typeof supervisor>
type Running = { name: string; replica: number; pid: number }
export type Spawn = () => Subprocess | Promise<Subprocess>
export type Stop = (timeoutMs: number) => Promise<void>

const PAUSE_MS_MIN = 100 // before a restart, doubled while the process keeps ending early
const PAUSE_MS_MAX = 5_000
const STABLE_MS = 10_000 // a process that ran so long is restarted at once

/** Keeps processes running, and DATA_DIR/processes.json up to date (behaviour 9.4). */
export function supervisor(dataDir: DataDir) {
  let running: Running[] = []
  const list = (processes: Running[]) => {
    running = processes
    dataDir.write("processes.json", `${JSON.stringify(running)}\n`)
  }
  list([])

  /** Starts a process and restarts it whenever it ends. Returns a function that stops it. */
  return async function supervise(name: string, replica: number, spawn: Spawn): Promise<Stop> {
    const stopping = Promise.withResolvers<void>()
    let stopTimeoutMs = Infinity
    let child: Subprocess

    async function start() {
      child = await spawn()
      list([...running, { name, replica, pid: child.pid }])
      if (stopTimeoutMs < Infinity) terminate(child, name, stopTimeoutMs)
    }

    async function restartWheneverEnded() {
      for (let pauseMs = 0; ; ) {
        const startedAt = Date.now()
        await child.exited
        list(running.filter(({ pid }) => pid !== child.pid))
        if (stopTimeoutMs < Infinity) return

        console.warn(`${name} ended unexpectedly. Restarting it.`)
        pauseMs = Date.now() - startedAt > STABLE_MS ? 0 : clamp(pauseMs * 2)
        await Promise.race([Bun.sleep(pauseMs), stopping.promise])
        if (stopTimeoutMs < Infinity) return
        await start().catch(error => console.error(`${error}`))
      }
    }

    await start()
    const ended = restartWheneverEnded()

    return timeoutMs => {
      stopTimeoutMs = timeoutMs
      stopping.resolve()
      terminate(child, name, timeoutMs)
      return ended
    }
  }
}

const clamp = (pauseMs: number) => Math.max(PAUSE_MS_MIN, Math.min(pauseMs, PAUSE_MS_MAX))

/** Stops a process. PostgreSQL gets SIGINT: its SIGTERM waits until all clients disconnect. */
function terminate(child: Subprocess, name: string, timeoutMs: number) {
  child.kill(name === "postgres" ? "SIGINT" : "SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs)
  child.exited.finally(() => clearTimeout(timer))
}

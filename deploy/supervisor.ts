import type { Subprocess } from "bun"
import type { DataDir } from "./data-dir"

export type Keep = ReturnType<typeof supervisor>
type Running = { name: string; replica: number; pid: number }
export type Spawn = () => Subprocess | Promise<Subprocess>
export type Stop = (within_ms: number) => Promise<void>

const PAUSE_MS_MIN = 100 // before a process that did not live long is replaced; then doubled
const PAUSE_MS_MAX = 5_000
const LONG_LIFE_MS = 10_000

/** Keeps processes running, and DATA_DIR/processes.json true. */
export function supervisor(data_dir: DataDir) {
  let running: Running[] = []
  const list = (processes: Running[]) => {
    running = processes
    data_dir.write("processes.json", `${JSON.stringify(running)}\n`)
  }
  list([])

  /** Starts a process, and another in its place whenever it ends. Returns what ends it for good. */
  return async function keep(name: string, replica: number, spawn: Spawn): Promise<Stop> {
    const stopping = Promise.withResolvers<void>()
    let stop_within_ms = Infinity
    let child: Subprocess

    async function begin() {
      child = await spawn()
      list([...running, { name, replica, pid: child.pid }])
      if (stop_within_ms < Infinity) terminate(child, name, stop_within_ms)
    }

    async function follow() {
      for (let pause_ms = 0; ; ) {
        const began = Date.now()
        await child.exited
        list(running.filter(({ pid }) => pid !== child.pid))
        if (stop_within_ms < Infinity) return

        console.warn(`${name} ended. It is started again.`)
        pause_ms = Date.now() - began > LONG_LIFE_MS ? 0 : clamp(pause_ms * 2)
        await Promise.race([Bun.sleep(pause_ms), stopping.promise])
        if (stop_within_ms < Infinity) return
        await begin().catch(error => console.error(`${error}`))
      }
    }

    await begin()
    const followed = follow()

    return within_ms => {
      stop_within_ms = within_ms
      stopping.resolve()
      terminate(child, name, within_ms)
      return followed
    }
  }
}

const clamp = (pause_ms: number) => Math.max(PAUSE_MS_MIN, Math.min(pause_ms, PAUSE_MS_MAX))

/** PostgreSQL takes an interrupt, and only that, as the wish to end now and in order. */
function terminate(child: Subprocess, name: string, within_ms: number) {
  child.kill(name === "postgres" ? "SIGINT" : "SIGTERM")
  const impatience = setTimeout(() => child.kill("SIGKILL"), within_ms)
  child.exited.finally(() => clearTimeout(impatience))
}

import { currentTask, schedule, type Timer } from "./schedule"

/**
 * Gives tasks a clock of their own, which goes on only when the schedule says so. Everybody else,
 * the database's driver above all, keeps the real one.
 */
export function simulateTime() {
  const real = { now: Date.now, setTimeout, clearTimeout, sleep: Bun.sleep }

  Date.now = () => {
    const task = currentTask()
    return task ? schedule.now_ms() - task.clock_behind_ms : real.now()
  }
  globalThis.setTimeout = ((ring: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => {
    const task = currentTask()
    if (!task) return real.setTimeout(ring, ms, ...args)
    return schedule.later(task, ms, () => ring(...args))
  }) as typeof setTimeout

  globalThis.clearTimeout = (timer => {
    if (isSimulated(timer)) schedule.cancel(timer)
    else real.clearTimeout(timer as number)
  }) as typeof clearTimeout

  Bun.sleep = (until: number | Date) => {
    const task = currentTask()
    if (!task) return real.sleep(until)
    const { promise, resolve } = Promise.withResolvers<void>()
    schedule.later(task, Number(until), resolve)
    return promise
  }
}

const isSimulated = (timer: unknown): timer is Timer => Object(timer).at_ms !== undefined

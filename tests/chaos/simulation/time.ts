import { currentTask, schedule, type Timer } from "./schedule"

/**
 * Gives tasks a virtual clock that only the schedule advances. Everything else, such as the
 * database driver, keeps the real clock.
 */
export function simulateTime() {
  const real = { now: Date.now, setTimeout, clearTimeout, sleep: Bun.sleep }

  Date.now = () => {
    const task = currentTask()
    return task ? schedule.nowMs() - task.clockLagMs : real.now()
  }
  globalThis.setTimeout = ((
    callback: (...args: unknown[]) => unknown,
    ms = 0,
    ...args: unknown[]
  ) => {
    const task = currentTask()
    if (!task) return real.setTimeout(callback, ms, ...args)
    return schedule.later(task, ms, () => callback(...args))
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

const isSimulated = (timer: unknown): timer is Timer => Object(timer).atMs !== undefined

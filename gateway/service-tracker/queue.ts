import type { Tracker } from "./tracker"

/**
 * Runs the calls that the page queued before this script loaded, and runs later ones immediately.
 * The array stays the same object, because the page may hold a reference to it.
 */
export function takeOverQueue(tracker: Tracker) {
  const run = ([name, ...values]: unknown[]) => {
    const method = Reflect.get(tracker, String(name))
    if (typeof method === "function") method(...values)
  }
  const existing: unknown = window.serviceTrackerQueue
  const queue: unknown[][] = Array.isArray(existing) ? existing : []
  queue.push = (...calls) => {
    for (const call of calls) if (Array.isArray(call)) run(call)
    return 0
  }
  Reflect.set(window, "serviceTrackerQueue", queue)
  queue.push(...queue.splice(0))
}

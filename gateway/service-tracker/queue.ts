import type { Tracker } from "./tracker"

/**
 * Runs the calls that the page queued before this script loaded, in the array of this global name,
 * and runs later ones immediately. The array stays the same object, because the page may hold a reference to it.
 */
export function takeOverQueue(tracker: Tracker, global: string) {
  const run = ([name, ...values]: unknown[]) => {
    const method = Reflect.get(tracker, String(name))
    if (typeof method === "function") method(...values)
  }
  const existing: unknown = Reflect.get(window, global)
  const queue: unknown[][] = Array.isArray(existing) ? existing : []
  queue.push = (...calls) => {
    for (const call of calls) if (Array.isArray(call)) run(call)
    return 0
  }
  Reflect.set(window, global, queue)
  queue.push(...queue.splice(0))
}

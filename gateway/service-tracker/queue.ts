import type { Tracker } from "./tracker"

/**
 * Makes up for the calls that the page made before this script was there, and answers later ones
 * at once. The array itself is kept, since a page may hold on to it.
 */
export function takeOverQueue(tracker: Tracker) {
  const run = ([name, ...values]: unknown[]) => {
    const method = Reflect.get(tracker, String(name))
    if (typeof method === "function") method(...values)
  }
  const given: unknown = window.serviceTrackerQueue
  const queue: unknown[][] = Array.isArray(given) ? given : []
  queue.push = (...calls) => {
    for (const call of calls) if (Array.isArray(call)) run(call)
    return 0
  }
  Reflect.set(window, "serviceTrackerQueue", queue)
  queue.push(...queue.splice(0))
}

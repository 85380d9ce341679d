import { watchForms } from "./form"
import { type Options, readOptions } from "./options"
import { takeOverQueue } from "./queue"
import { createTracker, type Tracker } from "./tracker"

declare global {
  interface Window {
    serviceTracker?: Tracker
    serviceTrackerQueue?: unknown[][]
  }
}

/**
 * The browser script (behaviour 8). It is a guest in the advertiser's page:
 * nothing here may throw, leave a rejection unhandled, or block the page.
 */
try {
  const options = readOptions()
  const existing = window.serviceTracker
  const tracker = existing?.signup ? existing : start(options) // loaded twice: still one visit

  Reflect.set(window, "serviceTracker", tracker)
  if (options.global) Reflect.set(window, options.global, tracker)
  takeOverQueue(tracker, "serviceTrackerQueue")
  if (options.global) takeOverQueue(tracker, `${options.global}Queue`)
} catch (error) {
  console.warn("[service-tracker]", error)
}

function start(options: Options) {
  const tracker = createTracker(options)
  watchForms(options, tracker)
  return tracker
}

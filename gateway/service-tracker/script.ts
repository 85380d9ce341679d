import { watchForms } from "./form"
import { type Options, readOptions } from "./options"
import { takeOverQueue } from "./queue"
import { newTracker, type Tracker } from "./tracker"

declare global {
  interface Window {
    serviceTracker?: Tracker
    serviceTrackerQueue?: unknown[][]
  }
}

/**
 * The browser script (specification 1.9, contract 6). It is a guest in somebody else's page:
 * nothing here may throw, reject unheard, or keep the page waiting.
 */
try {
  const options = readOptions()
  const earlier = window.serviceTracker
  const tracker = earlier?.signup ? earlier : started(options) // loaded twice: still one visit

  Reflect.set(window, "serviceTracker", tracker)
  if (options.global) Reflect.set(window, options.global, tracker)
  takeOverQueue(tracker)
} catch (error) {
  console.warn("[service-tracker]", error)
}

function started(options: Options) {
  const tracker = newTracker(options)
  watchForms(options, tracker)
  return tracker
}

import { Counter } from "prom-client"
import { log } from "./log"
import { timings } from "./metrics"
import { newContext, withContext } from "./request-context"

const observeRun = timings(
  "tributary_timer_run_duration_seconds",
  "Duration of the runs of a recurring task, such as a sweeper.",
  ["timer", "outcome"],
)
const processed = new Counter({
  name: "tributary_timer_items_total",
  help: "Items that recurring tasks processed, such as pending sales or ended holds.",
  labelNames: ["timer"],
})

/**
 * Runs `work` repeatedly, with a pause after each run. A failure is logged and does not stop the
 * timer. A number that `work` returns counts as items processed. Returns a function that stops the
 * timer and waits for the run in progress.
 */
export function every(pauseMs: number, name: string, work: () => Promise<unknown>) {
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  const attempt = async () => {
    const began = performance.now()
    try {
      const items = await withContext(newContext(), work)
      if (typeof items === "number") processed.inc({ timer: name }, items)
      observeRun(began, { timer: name, outcome: "done" })
    } catch (err) {
      log.error({ err }, `${name} failed.`)
      observeRun(began, { timer: name, outcome: "failed" })
    }
  }
  const run = async () => {
    while (!isStopping) {
      await attempt()
      await Promise.race([Bun.sleep(pauseMs), stopped.promise])
    }
  }
  const running = run()

  return () => {
    isStopping = true
    stopped.resolve()
    return running
  }
}

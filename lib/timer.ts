import { Counter } from "prom-client"
import { log } from "./log"
import { timings } from "./metrics"
import { newContext, withContext } from "./request-context"

const tookRun = timings(
  "tributary_timer_run_duration_seconds",
  "Runs of what is done again and again, such as sweeping.",
  ["timer", "outcome"],
)
const swept = new Counter({
  name: "tributary_timer_items_total",
  help: "What these runs found and worked on: pending sales, ended holds and so on.",
  labelNames: ["timer"],
})

/**
 * Does `work` again and again, `pause_ms` after each end. A failure is logged, and not the last
 * try. A number that `work` answers counts what it worked on. Returns what stops it: it waits for
 * the work under way.
 */
export function every(pause_ms: number, what: string, work: () => Promise<unknown>) {
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  const attempt = async () => {
    const began = performance.now()
    try {
      const items = await withContext(newContext(), work)
      if (typeof items === "number") swept.inc({ timer: what }, items)
      tookRun(began, { timer: what, outcome: "done" })
    } catch (err) {
      log.error({ err }, `${what} failed.`)
      tookRun(began, { timer: what, outcome: "failed" })
    }
  }
  const run = async () => {
    while (!isStopping) {
      await attempt()
      await Promise.race([Bun.sleep(pause_ms), stopped.promise])
    }
  }
  const running = run()

  return () => {
    isStopping = true
    stopped.resolve()
    return running
  }
}

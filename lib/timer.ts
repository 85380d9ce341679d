import { newErrand, onErrand } from "./errand"
import { log } from "./log"

/**
 * Does `work` again and again, `pause_ms` after each end. A failure is logged, and not the last
 * try. Returns what stops it: it waits for the work under way.
 */
export function every(pause_ms: number, what: string, work: () => Promise<unknown>) {
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  const run = async () => {
    while (!isStopping) {
      await onErrand(newErrand(), work).catch(err => log.error({ err }, `${what} failed.`))
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

import { currentContext } from "../../lib/request-context"

/** A caller waits at most 5 s, even if a service is down. The service still finishes its work. */
export const ANSWER_MS_MAX = 4_500

/** Starts the time limit of the reply. A request that exceeds it is answered 503. */
export function startWaiting() {
  currentContext().deadline = Date.now() + ANSWER_MS_MAX
}

import { currentContext } from "../../lib/request-context"

/** A caller waits 5 s at most, whatever is down. A service finishes what it has begun. */
export const ANSWER_MS_MAX = 4_500

/** Starts the time for the answer. What is not done by then is answered 503. */
export function startWaiting() {
  currentContext().deadline = Date.now() + ANSWER_MS_MAX
}

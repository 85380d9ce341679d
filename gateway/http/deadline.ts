import { currentContext } from "../../lib/request-context"

/** Nobody waits for more than 5 s, whatever is away. A service finishes what it has begun. */
export const ANSWER_MS_MAX = 4_500

/** From here on the caller waits. What has not come about in time is answered as in doubt. */
export function startWaiting() {
  currentContext().deadline = Date.now() + ANSWER_MS_MAX
}

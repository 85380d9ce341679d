/** Lets identity's own code number events of a program, in a process of its own like a replica. */

import { asFault } from "../../lib/fault"
import { numberEvents } from "../../services/identity/event-numbers/number-events"

const requests: Parameters<typeof numberEvents>[0][] = await Bun.stdin.json()
const replies = await Promise.all(
  requests.map(request => numberEvents(request).catch(error => ({ kind: asFault(error).kind }))),
)
console.log(JSON.stringify(replies))
process.exit()

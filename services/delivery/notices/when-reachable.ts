import { asFault } from "../../../lib/fault"

/** Work that asks another service: while that is away there is nothing to do, and it says so itself. */
export const whenReachable = (work: () => Promise<number>) => () =>
  work().catch(error => {
    if (asFault(error).kind === "unavailable") return 0 // its own log and /status show it
    throw error
  })

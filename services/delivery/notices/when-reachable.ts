import { Fault } from "../../../lib/fault"

/**
 * Runs recurring work that calls another service. Returns 0 while that service is unavailable, which
 * its own log and /status show. Failures of the own database are thrown.
 */
export const whenReachable = (work: () => Promise<number>) => () =>
  work().catch(error => {
    if (error instanceof Fault && error.kind === "unavailable") return 0
    throw error
  })

import { schedule } from "./schedule"

let endsAtMs = 0

/** Makes commissions unavailable for so long. 0: ends the outage. */
export function interruptFor(ms: number) {
  endsAtMs = ms === 0 ? 0 : schedule.nowMs() + ms
}

export const isInterrupted = () => schedule.nowMs() < endsAtMs

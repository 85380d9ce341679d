import { config } from "../../../lib/config"
import type { Outcome } from "../outside/send"

const JITTER = 0.2
const GONE = 410
const TOO_MANY = [429, 502, 504]

/** What an attempt means for its delivery and its receiver. */
export type Verdict = {
  status: "delivered" | "pending" | "failed"
  wait_seconds: number | null // until the next attempt; null: there is none
  is_overloaded: boolean // the receiver gets one request at a time for a while
  is_gone: boolean // the receiver wants none any more
}

/** Judges an attempt (behaviour 12.4.2). `tries` were made before it. */
export function judge(outcome: Outcome, tries: number): Verdict {
  const { response_status, retry_after_seconds } = outcome
  const verdict = {
    is_overloaded: TOO_MANY.includes(response_status ?? 0),
    is_gone: response_status === GONE,
  }
  if (isSuccess(outcome)) return { ...verdict, status: "delivered", wait_seconds: null }

  const pause = config.delivery.retries[tries + 1]
  if (pause === undefined || verdict.is_gone) {
    return { ...verdict, status: "failed", wait_seconds: null }
  }
  const jittered = pause * (1 - JITTER + Math.random() * 2 * JITTER)
  const wait_seconds = Math.max(jittered, retry_after_seconds ?? 0)
  return { ...verdict, status: "pending", wait_seconds }
}

export const isSuccess = ({ response_status }: Pick<Outcome, "response_status">) =>
  response_status !== null && response_status >= 200 && response_status < 300

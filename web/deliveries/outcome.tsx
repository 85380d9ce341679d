import { Status, type Tone } from "../parts/status"
import { words } from "../words/en/deliveries"
import type { Attempt, DeliveryStatus } from "./delivery"

const TONES: Record<DeliveryStatus, Tone> = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
  skipped: "plain",
}

export const DeliveryState = ({ status }: { status: DeliveryStatus }) => (
  <Status tone={TONES[status]} text={words.statuses[status]} />
)

type Outcome = Pick<Attempt, "response_status" | "latency_ms" | "error">

/** "200 after 34 ms", or why no answer came. */
export const outcomeText = ({ response_status, latency_ms, error }: Outcome): string =>
  response_status === null
    ? words.noAnswer(error ?? "", latency_ms)
    : words.answered(response_status, latency_ms)

import { call } from "../../../lib/bus/bus"
import type { Operation, ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { asFault } from "../../../lib/fault"
import { newContext, withContext } from "../../../lib/request-context"
import { retryOnSilence } from "../../../lib/retry"
import { schedule } from "./schedule"

const CALL_TIMEOUT_MS = 3_000 // the gateway's own
const CLIENT_TIMEOUT_MS = 5_000 // of the client that calls the gateway

/** What the gateway answers: a reply, or the kind and message of a fault. */
export type Outcome<Reply> = { reply: Reply } | { kind: string; message: string }

/** One HTTP request as the gateway serves it, under one request id. */
export type SimulatedRequest<Op extends Operation> = {
  op: Op
  request: RequestOf<Op> & { request_id: string }
  outcome?: Outcome<ReplyOf<Op>> // set even if the client did not receive it
}

/** Sends a request through a gateway, which may be killed meanwhile. Undefined: it timed out. */
export async function sendRequest<Op extends Operation>(simulated: SimulatedRequest<Op>) {
  const { op, request } = simulated
  const context = { ...newContext(), request_id: request.request_id }

  const replied = schedule.begin(`gateway ${request.request_id}`, task =>
    withContext(context, () =>
      outcomeOf(() => retryOnSilence(() => call(op, request, CALL_TIMEOUT_MS))),
    ).then(outcome => {
      if (!task.isAlive) return new Promise<never>(() => {})
      simulated.outcome = outcome
      return outcome
    }),
  )
  return Promise.race([replied, Bun.sleep(CLIENT_TIMEOUT_MS)])
}

/** Sends the same request once more, after the faults have stopped. */
export const repeatRequest = <Op extends Operation>({ op, request }: SimulatedRequest<Op>) =>
  outcomeOf(() => call(op, request, CALL_TIMEOUT_MS))

const outcomeOf = <Reply>(send: () => Promise<Reply>): Promise<Outcome<Reply>> =>
  send().then(
    reply => ({ reply }),
    error => {
      const { kind, message } = asFault(error)
      return { kind, message }
    },
  )

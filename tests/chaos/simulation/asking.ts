import { call } from "../../../lib/bus/bus"
import type { Operation, ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { asFault } from "../../../lib/fault"
import { newContext, withContext } from "../../../lib/request-context"
import { retryOnSilence } from "../../../lib/retry"
import { schedule } from "./schedule"

const ASK_TIMEOUT_MS = 3_000 // as of the gateway
const PATIENCE_MS = 5_000 // of the gateway's caller

/** What an HTTP request was answered: a reply, or the kind and the words of a fault. */
export type Outcome<Reply> = { reply: Reply } | { kind: string; message: string }

/** One HTTP request as the gateway serves it, under one id. */
export type Asked<Op extends Operation> = {
  op: Op
  request: RequestOf<Op> & { request_id: string }
  outcome?: Outcome<ReplyOf<Op>> // of the gateway, whether or not its caller heard it
}

/** Asks through a gateway, which may die meanwhile. Nothing, if no answer came in time. */
export async function ask<Op extends Operation>(asked: Asked<Op>) {
  const { op, request } = asked
  const errand = { ...newContext(), request_id: request.request_id }

  const answered = schedule.begin(`gateway ${request.request_id}`, task =>
    withContext(errand, () =>
      outcomeOf(() => retryOnSilence(() => call(op, request, ASK_TIMEOUT_MS))),
    ).then(outcome => {
      if (!task.isAlive) return new Promise<never>(() => {})
      asked.outcome = outcome
      return outcome
    }),
  )
  return Promise.race([answered, Bun.sleep(PATIENCE_MS)])
}

/** Asks the same once more, when the weather is fine again. */
export const askAgain = <Op extends Operation>({ op, request }: Asked<Op>) =>
  outcomeOf(() => call(op, request, ASK_TIMEOUT_MS))

const outcomeOf = <Reply>(ask: () => Promise<Reply>): Promise<Outcome<Reply>> =>
  ask().then(
    reply => ({ reply }),
    error => {
      const { kind, message } = asFault(error)
      return { kind, message }
    },
  )

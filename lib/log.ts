import pino from "pino"
import { config } from "./config"
import { currentRequestId } from "./errand"

/**
 * One line of JSON each. Every line of a request, in whichever part, bears the request's id.
 * Nothing that a caller sent is ever passed to it: neither bodies nor headers nor queries; and of a
 * database's error not the parts that quote rows.
 */
export const log = pino({
  serializers: { err: told },
  level: config.log_level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => ({ request_id: currentRequestId() }),
})

function told(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code, cause } = error as Error & { code?: string }
  return { name, message, code, stack, cause: cause && told(cause) }
}

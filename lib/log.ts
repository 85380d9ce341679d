import pino from "pino"
import { config } from "./config"
import { currentRequestId } from "./errand"

/**
 * One line of JSON each. Every line of a request, in whichever part, bears the request's id.
 * Nothing that a caller sent is ever passed to it: neither bodies nor headers nor queries.
 */
export const log = pino({
  level: config.log_level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => ({ request_id: currentRequestId() }),
})

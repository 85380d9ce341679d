import pino from "pino"
import { config } from "./config"
import { currentRequestId } from "./request-context"

/**
 * One line of JSON each. Every line of a request, in whichever part, bears the request's id.
 * Nothing that a caller sent is ever passed to it: neither bodies nor headers nor queries; and of a
 * database's error not the parts that quote rows.
 */
export const log = pino({
  serializers: { err: withoutSecrets },
  level: config.log_level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => ({ request_id: currentRequestId() }),
})

/** What may be told of an error, by whomever it was worded. */
export function withoutSecrets(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? redacted(error) : error
  const { name, message, stack, code, cause } = error as Error & { code?: string }
  return {
    name,
    message: redacted(message),
    code,
    stack: stack && redacted(stack),
    cause: cause && withoutSecrets(cause),
  }
}

/** Libraries quote what they were given: a token, an address, the password of a URL. */
const SECRETS: [found: RegExp, shown: string][] = [
  [/\b(aff[ksi]?_|whsec_|clk_)[A-Za-z0-9_+/=-]{6,}/g, "$1…"],
  [/:\/\/[^\s/@"']+@/g, "://…@"],
  [/[^\s"'`=:;,()<>@/]+@[^\s"'`=:;,()<>@/]+\.[^\s"'`=:;,()<>@/]+/g, "…@…"],
]

const redacted = (text: string) =>
  SECRETS.reduce((shown, [found, cover]) => shown.replace(found, cover), text)

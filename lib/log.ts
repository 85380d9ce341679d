import pino from "pino"
import { config } from "./config"
import { currentRequestId } from "./request-context"

/**
 * Writes one line of JSON per entry. Every line about a request carries its id, in all parts.
 * Never log what a caller sent: bodies, headers or query strings. Database errors are logged
 * without the fields that quote rows.
 */
export const log = pino({
  serializers: { err: withoutSecrets },
  level: config.log_level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => ({ request_id: currentRequestId() }),
})

/** Returns the parts of an error that may be logged, with secrets masked. */
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

/** Error messages of libraries may quote a token, an e-mail address or the password of a URL. */
const SECRETS: [pattern: RegExp, replacement: string][] = [
  [/\b(aff[ksi]?_|whsec_|clk_)[A-Za-z0-9_+/=-]{6,}/g, "$1…"],
  [/:\/\/[^\s/@"']+@/g, "://…@"],
  [/[^\s"'`=:;,()<>@/]+@[^\s"'`=:;,()<>@/]+\.[^\s"'`=:;,()<>@/]+/g, "…@…"],
]

const redacted = (text: string) =>
  SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)

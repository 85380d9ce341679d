/** Why a request was refused. The gateway alone turns a kind into an HTTP status. */
export type FaultKind =
  | "invalid"
  | "unauthorized" // no credential, or an unknown one
  | "forbidden" // the caller is known but not allowed
  | "missing"
  | "not_allowed" // the path exists, the method does not
  | "conflict" // the current state does not allow it
  | "duplicate" // already recorded
  | "too_large"
  | "unsupported" // a media type or encoding that is not supported
  | "limited" // too many calls
  | "failed" // nothing happened, through no fault of the caller: try again
  | "unavailable" // the outcome is unknown: try again

/** A refusal that the caller is meant to see. `cause` goes to the log only. */
export class Fault extends Error {
  constructor(
    readonly kind: FaultKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

/** Turns any error into a Fault that callers may see. A bug becomes "failed" without details. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (isOutage(error)) return unavailable(error)
  return new Fault("failed", "Something went wrong on our side.", error)
}

/** Whether a database was unreachable, lost before it replied, or out of resources. */
function isOutage(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === "string" && OUTAGE.test(code)
}

/** ENOENT means a missing socket, because operations open no files. */
const OUTAGE =
  /^(CONNECT_TIMEOUT|CONNECTION_\w+|E(CONNREFUSED|CONNRESET|NOENT|PIPE)|08\w{3}|57P0\d|57014|53\w{3}|25P03|55P03)$/

/** Whether a statement reached `lock_timeout` while waiting for a lock, and so wrote nothing. */
export const isLockTimeout = (error: unknown): boolean =>
  (Object(error) as { code?: unknown }).code === "55P03"

/** The Fault for an operation that did not reply in time, with an unknown outcome. */
export const unavailable = (cause?: unknown): Fault =>
  new Fault("unavailable", "Part of the service is not responding. Try again.", cause)

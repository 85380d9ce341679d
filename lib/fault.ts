/** Why a request was refused. The gateway alone turns a kind into an HTTP status. */
export type FaultKind =
  | "invalid"
  | "unauthorized" // no credential, or not one that is known here
  | "forbidden" // known, and not allowed
  | "missing"
  | "not_allowed" // the path exists, the method does not
  | "conflict" // it does not fit the state that the thing is in
  | "duplicate" // this very thing is recorded already
  | "too_large"
  | "unsupported" // of a type or an encoding that is not read here
  | "limited" // too many calls
  | "failed" // it did not come about, and the caller is not to blame: try again
  | "unavailable" // nobody knows whether it came about: try again

/** A refusal the caller is meant to see. Its cause, if it has one, is for the log alone. */
export class Fault extends Error {
  constructor(
    readonly kind: FaultKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

/** What may be told of anything thrown: a Fault as it is, of a bug only that there was one. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (isOutage(error)) return unanswered(error)
  return new Fault("failed", "Something went wrong on our side.", error)
}

/** Whether a database could not be reached, was lost before it had answered, or has no room. */
function isOutage(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === "string" && OUTAGE.test(code)
}

/** ENOENT: of a socket, as who answers opens no files. */
const OUTAGE =
  /^(CONNECT_TIMEOUT|CONNECTION_\w+|E(CONNREFUSED|CONNRESET|NOENT|PIPE)|08\w{3}|57P0\d|57014|53\w{3}|25P03|55P03)$/

/** Whether a statement gave up on a lock, as `lock_timeout` has it: nothing was written then. */
export const isLockedOut = (error: unknown): boolean =>
  (Object(error) as { code?: unknown }).code === "55P03"

export const unanswered = (cause?: unknown): Fault =>
  new Fault("unavailable", "A part of the service does not answer: try again.", cause)

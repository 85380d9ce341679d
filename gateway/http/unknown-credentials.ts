import { config } from "../../lib/config"
import { Fault } from "../../lib/fault"
import { addressOf, networkOf } from "./address"
import { cookieToken } from "./cookies"
import { limitAddress, limitFailures, refuseAtLimit } from "./limit"

const KNOWN_MAX = 10_000

/** Hashes of credentials that this gateway has lately found valid, the oldest first. */
const known = new Set<string>()
const lookups = new Map<string, Promise<unknown>>()

/**
 * Refuses a call with a credential, valid or not, from an address that has sent too many unknown or
 * malformed ones, so that guessing gets no further answers (behaviour 1.12.1). Throws TooMany.
 */
export async function refuseGuessers(request: Request) {
  if (isSent(request)) await refuseAtLimit("unknown_credentials", networkOf(addressOf(request)))
}

/** Counts a malformed credential, or one of the wrong kind, which no query is made for. */
export async function countMalformed(request: Request) {
  if (isSent(request)) await limitAddress("unknown_credentials", request)
}

/**
 * Looks up a credential and counts it if it is unknown. Before the query it is counted in advance,
 * so that concurrent guesses cannot exceed the limit, unless it was valid a moment ago. Calls with
 * one credential wait for its first look-up: a backend that sends hundreds at once is no guesser.
 */
export async function lookUp<Result>(
  request: Request,
  token_hash: string,
  find: () => Promise<Result>,
): Promise<Result> {
  if (!config.rate_limits) return find()
  const pending = lookups.get(token_hash)
  if (pending) await pending.catch(() => {}) // without one nothing may come in between
  if (known.has(token_hash)) return findKnown(request, token_hash, find)

  const lookup = limitFailures("unknown_credentials", networkOf(addressOf(request)), find)
  lookups.set(token_hash, lookup)
  try {
    const result = await lookup
    remember(token_hash)
    return result
  } catch (error) {
    if (isRefusalOfAccess(error)) remember(token_hash)
    throw error
  } finally {
    if (lookups.get(token_hash) === lookup) lookups.delete(token_hash)
  }
}

/** Looks up a credential that was valid. It may have ended since. */
async function findKnown<Result>(
  request: Request,
  token_hash: string,
  find: () => Promise<Result>,
): Promise<Result> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Fault && error.kind === "unauthorized") {
      known.delete(token_hash)
      await limitAddress("unknown_credentials", request)
    }
    throw error
  }
}

function remember(token_hash: string) {
  const [oldest] = known
  if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest)
  known.add(token_hash)
}

/** Whether the caller is known, but may not do this. */
const isRefusalOfAccess = (error: unknown) =>
  error instanceof Fault && (error.kind === "forbidden" || error.kind === "missing")

const isSent = ({ headers }: Request) => headers.has("authorization") || cookieToken(headers) !== ""

import { Fault } from "../../lib/fault"

const DOTS = new Set([".", ".."])

/**
 * Refuses a request that a proxy in front may have understood differently, so that rules of the proxy
 * about paths and hosts hold: with two Host headers, or with a dot segment, encoded or not.
 *
 * Bun matches routes by the path as it was sent, but shows it without its dot segments. So they are
 * recognized by what they leave behind: a parameter that is one, or a path that is a route's but
 * matched none.
 */
export function refuseAmbiguity(request: Request, isRouteOf: () => boolean) {
  if (request.headers.get("host")?.includes(",")) {
    throw new Fault("invalid", "The Host header must be sent once.")
  }
  const { params } = request as { params?: Record<string, string> } // of the route that Bun matched
  const hasDots = params ? Object.values(params).some(value => DOTS.has(value)) : isRouteOf()
  if (hasDots) throw new Fault("invalid", "The path must have no dot segments.")
}

import { isIP } from "node:net"
import { isTrusted } from "./trusted-proxies"

type Server = Pick<Bun.Server<unknown>, "requestIP">
let server: Server | null = null

/** Sets the server that knows the peers. Reading it from Elysia's context slows each request. */
export function useServer(listening: Server | null) {
  server = listening
}

/**
 * The address a request comes from. Of X-Forwarded-For, only what trusted proxies appended counts:
 * each appends the address that called it.
 */
export function addressOf(request: Request): string | null {
  let address = plain(server?.requestIP(request)?.address)
  const forwarded = request.headers.get("x-forwarded-for")?.split(",") ?? []
  while (address && forwarded.length > 0 && isTrusted(address)) address = plain(forwarded.pop())
  return address
}

/**
 * Whether a request was made on this machine: by its peer, whatever its headers say. Behind trusted
 * proxies on this machine, by their caller.
 */
export function isFromThisMachine(request: Request): boolean {
  const peer = plain(server?.requestIP(request)?.address)
  return [peer, addressOf(request)].every(address => address !== null && LOOPBACK.test(address))
}
const LOOPBACK = /^(127\.|::1$)/

/** Truncates an address so that it locates a visitor but identifies none: IPv4 /24, IPv6 /48. */
export function truncated(address: string): string {
  if (isIP(address) === 4) return address.replace(/\d+$/, "0")
  return `${groupsOf(address).slice(0, 3).join(":")}::`
}

/**
 * The unit that rate limits count: an IPv4 address, or an IPv6 /64, which is one subscriber's. All
 * callers without an address share one unit.
 */
export function networkOf(address: string | null): string {
  if (address === null || isIP(address) === 4) return address ?? "unknown"
  return groupsOf(address).slice(0, 4).join(":")
}

/** The eight groups of an IPv6 address, including those that :: leaves out. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`) // normalized as in RFC 5952
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split("::")
    .map(part => part.split(":").filter(Boolean))
  return [...before, ...Array(8 - before.length - after.length).fill("0"), ...after]
}

/** Removes the zone, and the IPv6 prefix of a mapped IPv4 address. Null: not an address. */
function plain(text: string | undefined): string | null {
  const address = text
    ?.trim()
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "")
  return address && isIP(address) ? address : null
}

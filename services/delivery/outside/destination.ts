import { isIP } from "node:net"
import { dns } from "bun"
import { config } from "../../../lib/config"
import { isPublic, isWithin, type Network } from "./addresses"
import { ownPorts } from "./own-ports"

export const URL_LENGTH_MAX = 2_048
const RESOLVE_TIMEOUT_MS = 2_000

/** What the operator allows beyond the rules, and how names are resolved. */
export type Guard = {
  private_networks: Network[]
  allows_http: boolean
  ports: number[] // beside 443 and 8443
  ownPorts: () => number[]
  resolve: (name: string) => Promise<string[]>
}

export const GUARD: Guard = { ...config.delivery, ownPorts, resolve: resolveName }

/** Where a URL leads: to addresses that were all checked. */
export type Destination = { url: URL; addresses: string[] }

/** Returns the rule that refuses to send to a URL, as a sentence. Null: it may be saved. */
export async function findUrlRefusal(url: string, guard = GUARD): Promise<string | null> {
  const destination = await findDestination(url, guard)
  return typeof destination === "string" ? destination : null
}

/**
 * Resolves a URL to the addresses to connect to, or returns the rule that refuses it (behaviour
 * 12.6). A name is resolved once: the connection must use these addresses.
 */
export async function findDestination(text: string, guard = GUARD): Promise<Destination | string> {
  if (text.length > URL_LENGTH_MAX) return "The URL must have at most 2,048 characters."
  const url = URL.parse(text)
  if (!url) return "The URL is not valid."
  const refusal = refusalOf(url, guard)
  if (refusal) return refusal

  const host = url.hostname.replace(/^\[|\]$/g, "")
  const addresses = isIP(host) ? [host] : await guard.resolve(host).catch(() => [])
  if (addresses.length === 0) return "The host of the URL does not resolve."
  const isAllowed = (address: string) => isPublic(address) || isAllowedPrivate(address, url, guard)
  if (!addresses.every(isAllowed)) return "The URL must lead to public addresses of the Internet."
  return { url, addresses }
}

function refusalOf({ protocol, port, username, password }: URL, guard: Guard): string | null {
  const schemes = guard.allows_http ? ["https:", "http:"] : ["https:"]
  if (!schemes.includes(protocol)) return "The URL must begin with https."
  if (username || password) return "The URL must not contain a user or password."
  const ports = [443, 8443, ...guard.ports]
  if (port && !ports.includes(Number(port))) return `The URL must have ${listed(ports)}.`
  return null
}

const listed = (ports: number[]) => `the port ${ports.join(", ").replace(/, (\d+)$/, " or $1")}`

function isAllowedPrivate(address: string, url: URL, guard: Guard): boolean {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  return isWithin(guard.private_networks, address) && !guard.ownPorts().includes(port)
}

/**
 * Resolves a name with c-ares, which waits without a thread: names that hang cannot hold up others.
 * IPv4 comes first, because IPv6 addresses cannot be reached from everywhere.
 */
async function resolveName(name: string): Promise<string[]> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error("No answer.")), RESOLVE_TIMEOUT_MS)
  try {
    const found = await Promise.race([dns.lookup(name, { backend: "c-ares" }), timeout.promise])
    return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address)
  } finally {
    clearTimeout(timer)
  }
}

import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

type Address = ReturnType<typeof ipaddr.parse>

/** An address, and how many of its leading bits all addresses of the network share. */
export type Network = [address: string, bits: number]

/** Whether the Internet reaches an address, by IANA's registries (behaviour 12.6). */
export function isPublic(address: string): boolean {
  const unwrapped = unwrap(address)
  if (unwrapped === null) return false
  const isGlobal = unwrapped.kind() === "ipv4" || isIn(unwrapped, GLOBAL_UNICAST)
  return isGlobal && unwrapped.range() === "unicast"
}

/** Whether an address lies in one of these networks, or the IPv4 address in it does. */
export function isWithin(networks: Network[], address: string): boolean {
  const forms = [unwrap(address), parse(address)]
  return networks.some(([network, bits]) =>
    forms.some(form => form && isIn(form, [ipaddr.parse(network), bits])),
  )
}

/** IPv6 addresses outside of it are not assigned, or stay within a network. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3")

/** Where IPv4 addresses are wrapped in IPv6 ones, and the byte at which they begin. */
const WRAPPINGS: [[Address, bits: number], byte: number][] = [
  [ipaddr.parseCIDR("::ffff:0:0/96"), 12], // IPv4-mapped
  [ipaddr.parseCIDR("64:ff9b::/96"), 12], // NAT64
  [ipaddr.parseCIDR("2002::/16"), 2], // 6to4
]

function unwrap(text: string): Address | null {
  const address = parse(text)
  if (address?.kind() !== "ipv6") return address
  const [, byte] = WRAPPINGS.find(([network]) => isIn(address, network)) ?? []
  if (byte === undefined) return address
  return ipaddr.fromByteArray(address.toByteArray().slice(byte, byte + 4))
}

/** Null: a resolver gave what is no address, such as one with a zone. */
const parse = (text: string) => (isIP(text) && !text.includes("%") ? ipaddr.parse(text) : null)

const isIn = (address: Address, [network, bits]: [Address, bits: number]) =>
  address.kind() === network.kind() && address.match(network, bits)

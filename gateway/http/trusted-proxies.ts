import { lookup } from "node:dns/promises"
import { BlockList, isIP } from "node:net"
import { config } from "../../lib/config"
import { log } from "../../lib/log"
import { every } from "../../lib/timer"

const LOOK_UP_AGAIN_MS = 5_000 // proxies get new addresses when they are replaced
const NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*(?=[^.]*[a-z])[a-z\d-]*[a-z\d]\.?$/i

const names = config.trusted_proxies.filter(proxy => NAME.test(proxy))
const networks = config.trusted_proxies.filter(proxy => !NAME.test(proxy)).map(asNetwork)
let trusted = listOf(new Map())

/** Whether the X-Forwarded-For of a peer is believed: TRUSTED_PROXIES names it. */
export const isTrusted = (address: string) => trusted.check(address, familyOf(address))

/** Looks up the names in TRUSTED_PROXIES, and again every few seconds. Returns how to stop. */
export async function followProxyNames(): Promise<() => Promise<void>> {
  if (names.length === 0) return async () => {}
  const addressesOf = new Map<string, string[]>()
  const isMissing = new Set<string>()
  const lookUp = async () => {
    for (const name of names) {
      const found = await addressesOfName(name)
      if (!found && !isMissing.has(name)) log.warn(`TRUSTED_PROXIES: ${name} has no address.`)
      if (found) isMissing.delete(name)
      else isMissing.add(name) // and its last addresses stay trusted: the name server may be down
      if (found) addressesOf.set(name, found)
    }
    trusted = listOf(addressesOf)
  }
  await lookUp()
  return every(LOOK_UP_AGAIN_MS, "Looking up TRUSTED_PROXIES", lookUp)
}

/** Returns the addresses of a name, without the zones of link-local ones. Null: there are none. */
async function addressesOfName(name: string): Promise<string[] | null> {
  const found = await lookup(name, { all: true }).catch(() => [])
  return found.length > 0 ? found.map(({ address }) => address.replace(/%.*$/, "")) : null
}

function listOf(addressesOf: Map<string, string[]>): BlockList {
  const list = new BlockList()
  for (const [address, bits] of networks) list.addSubnet(address, bits, familyOf(address))
  for (const address of [...addressesOf.values()].flat())
    list.addAddress(address, familyOf(address))
  return list
}

/** Parses an address, or a network like 10.0.0.0/8. */
function asNetwork(proxy: string): [address: string, bits: number] {
  const [address = "", bits, ...rest] = proxy.split("/")
  const bits_max = isIP(address) === 4 ? 32 : 128
  const isNetwork = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= bits_max
  if (!isIP(address) || rest.length > 0 || (bits !== undefined && !isNetwork)) {
    throw new Error(`TRUSTED_PROXIES must be addresses, networks or names, not "${proxy}".`)
  }
  return [address, Number(bits ?? bits_max)]
}

function familyOf(address: string) {
  return isIP(address) === 4 ? "ipv4" : "ipv6"
}
